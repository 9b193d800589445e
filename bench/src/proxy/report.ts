import { type Spread, spreadOf } from '../measure/median.ts';
import { type Measured, busyOf, cpuPerRequest, rateOf } from '../measure/rounds.ts';
import { table } from '../measure/table.ts';
import type { GoalResult } from './goals.ts';
import type { LargeBodyResult } from './large-body.ts';

export function contenderTable(measured: readonly Measured[]): string {
  return table(
    ['', 'requests/s', '(min-max)', 'CPU us/request', '(min-max)', 'core busy', 'p50 ms', 'p99 ms', 'errors'],
    measured.map((one) => {
      const [rate, cpu] = [rateOf(one), cpuPerRequest(one)];
      return [
        one.name,
        rate.median.toFixed(0),
        `(${rate.min.toFixed(0)}-${rate.max.toFixed(0)})`,
        cpu.median.toFixed(1),
        `(${cpu.min.toFixed(1)}-${cpu.max.toFixed(1)})`,
        busyOf(one).median.toFixed(2),
        spreadOf(one.samples.map(({ p50Ms }) => p50Ms)).median.toFixed(1),
        spreadOf(one.samples.map(({ p99Ms }) => p99Ms)).median.toFixed(1),
        String(one.samples.reduce((sum, { errors }) => sum + errors, 0)),
      ];
    }),
  );
}

export function goalTable(goals: readonly GoalResult[], bodies: readonly LargeBodyResult[]): string {
  const rows = goals.map(({ goal, what, atLeast, judgedBy, byRequests, byCpu, reached }) => [
    `${goal} ${what}`,
    ratio(byRequests),
    ratio(byCpu),
    `>= ${atLeast}x by ${judgedBy}`,
    reached ? 'reached' : 'MISSED',
  ]);
  const memory = bodies.map(({ type, aboveIdleMegabytes }) => {
    const most = Math.max(...aboveIdleMegabytes);
    const what = `G11 memory above idle, 50 MB ${type}`;
    return [what, `${most.toFixed(1)} MB`, '', '<= 16 MB', most <= 16 ? 'reached' : 'MISSED'];
  });
  return table(['goal', 'by requests/s', 'by CPU', 'wanted', ''], [...rows, ...memory]);
}

const ratio = ({ median, min, max }: Spread) => `${median.toFixed(2)}x (${min.toFixed(2)}-${max.toFixed(2)})`;
