import { type Spread, spreadOf } from '../measure/median.ts';
import { type Measured, busyOf, cpuPerRequest } from '../measure/rounds.ts';

/** A goal and what came out, each round compared with the same round of the other side. */
export interface GoalResult {
  readonly goal: string;
  readonly what: string;
  readonly atLeast: number;
  /** The ratio that counts: CPU, where it is what was asked, or where one of the two could not use its whole core. */
  readonly judgedBy: 'requests' | 'cpu';
  readonly byRequests: Spread;
  readonly byCpu: Spread;
  readonly reached: boolean;
}

export interface Measurements {
  readonly plain: Measured;
  readonly oneToken: Measured;
  readonly traced: Measured;
  readonly bare: Measured;
  readonly httpProxy: Measured;
  readonly nginx: Measured | undefined;
}

export function judgeGoals({ plain, oneToken, traced, bare, httpProxy, nginx }: Measurements): GoalResult[] {
  return [
    judge('G0', 'gateway, no token / minimal undici proxy', 0.83, plain, bare, 'cpu'),
    judge('G1', 'gateway, no token / http-proxy-3', 1.8, plain, httpProxy),
    ...(nginx ? [judge('G2', 'gateway, no token / nginx', 0.22, plain, nginx, 'cpu')] : []),
    judge('G3', 'gateway, 1 token / no token', 0.85, oneToken, plain),
    judge('G8', 'gateway, no token, 1 % traced / not traced', 0.93, traced, plain),
  ];
}

/** Below, the machine had other things to do, and rates say little. */
const busyEnough = 0.9;

/** Compares two contenders round by round. */
export function judge(
  goal: string,
  what: string,
  atLeast: number,
  ours: Measured,
  other: Measured,
  asked: GoalResult['judgedBy'] = 'requests',
): GoalResult {
  const pairs = ours.samples.map((sample, round) => ({ sample, against: other.samples[round] ?? sample }));
  const byRequests = spreadOf(
    pairs.map(({ sample, against }) => sample.requestsPerSecond / against.requestsPerSecond),
  );
  // Less CPU is better: the ratio is turned round, so that both grow with our speed.
  const byCpu = spreadOf(
    pairs.map(({ sample, against }) => (against.cpu['itself'] ?? 0) / (sample.cpu['itself'] ?? 0)),
  );
  const undisturbed = [ours, other].every((one) => busyOf(one).median >= busyEnough);
  const judgedBy = undisturbed ? asked : 'cpu';
  const ratio = judgedBy === 'cpu' ? byCpu : byRequests;
  return { goal, what, atLeast, judgedBy, byRequests, byCpu, reached: ratio.median >= atLeast };
}

/** CPU that the other processes take for one request, in microseconds. */
export function besidesTheGateway(measured: Measured, processes: readonly string[]): string {
  return processes
    .map((process) => `${process} ${cpuPerRequest(measured, process).median.toFixed(1)} us`)
    .join(', ');
}
