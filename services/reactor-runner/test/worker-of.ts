import { readFileSync } from 'node:fs';

import type { TestRunner } from './runner.ts';
import { until } from './until.ts';

/** The process that serves a tenant: of those that are there, the one that works whenever the tenant's code does. */
export async function workerOf(runner: TestRunner, tenant: string): Promise<number> {
  await until('a spare worker is ready', async () => (await workersBy(runner, 'spare')) === 1);
  // Another one that makes itself ready for new code may work more, but not time and again.
  for (let last: number | undefined; ;) {
    const busiest = await busiestDuring(runner, tenant);
    if (busiest === last) return busiest;
    last = busiest;
  }
}

async function busiestDuring(runner: TestRunner, tenant: string): Promise<number> {
  const before = runner.workers().map((pid) => ({ pid, ticks: cpuTicks(pid) }));
  const spins = 'module.exports = () => { const end = Date.now() + 600; while (Date.now() < end); };';
  await runner.run(spins, {}, { tenant });
  const [busiest] = before
    .map(({ pid, ticks }) => ({ pid, ticks: cpuTicks(pid) - ticks }))
    .toSorted((a, b) => b.ticks - a.ticks);
  if (busiest === undefined) throw new Error('there is no worker');
  return busiest.pid;
}

/** Ready workers that are in a state, by the runner's own metrics. */
export async function workersBy(
  runner: TestRunner,
  state: 'serving' | 'retiring' | 'spare',
): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${runner.metricsPort}/metrics`)).text();
  return Number(
    new RegExp(`^glovebox_runner_workers\\{state="${state}".*\\} (\\d+)$`, 'm').exec(metrics)?.[1],
  );
}

/** User and system time, proc(5); 0 for a process that is gone. */
function cpuTicks(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
