import { setTimeout as delay } from 'node:timers/promises';

import { cpuOf } from './cpu.ts';
import type { LoadGenerator, LoadTarget } from './load.ts';
import { type Spread, spreadOf } from './median.ts';

/** Something that serves requests and is measured beside others. */
export interface Contender {
  readonly name: string;
  readonly target: LoadTarget;
  /** How many times the connections, and the warming up, of the others. Default 1. */
  readonly width?: number;
  /** Processes whose CPU per request is reported; `itself` is the one that is compared. */
  readonly processes: Readonly<Record<string, () => readonly number[]>> & { itself(): readonly number[] };
}

export interface RoundOptions {
  readonly load: LoadGenerator;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Called with every measurement. */
  onSample(contender: Contender, sample: Sample): void;
}

export interface Sample {
  readonly requestsPerSecond: number;
  /** Share of one core that `itself` took: below 1 it waited, for others on the machine or for the load. */
  readonly busy: number;
  /** Microseconds of CPU per request, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Of all rounds of one contender, in their order. */
export interface Measured {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/**
 * Measures all contenders in turn, round after round, after a warm-up of each. Each round begins with
 * another contender, so that none always follows the same.
 */
export async function measureInRounds(
  contenders: readonly Contender[],
  options: RoundOptions,
): Promise<Measured[]> {
  const samples = new Map<Contender, Sample[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await warmUp(contender, options);
  for (let round = 0; round < options.rounds; round += 1) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const sample = await measure(contender, options);
      samples.get(contender)?.push(sample);
      options.onSample(contender, sample);
    }
  }
  return contenders.map((contender) => ({ name: contender.name, samples: samples.get(contender) ?? [] }));
}

/** Until V8 has optimized what there is to optimize, which takes tens of thousands of requests. */
async function warmUp(contender: Contender, { load, connections }: RoundOptions): Promise<void> {
  const width = contender.width ?? 1;
  // On a busy machine that takes long, and longer the more code a contender has: none is to be measured before.
  const until = Date.now() + 45_000 * width;
  for (let sent = 0; sent < 50_000 * width && Date.now() < until;) {
    sent += (await load.run(contender.target, 2, connections * width)).requests;
  }
}

async function measure(contender: Contender, options: RoundOptions): Promise<Sample> {
  // What the one before still has to do is not counted here.
  await delay(200);
  const names = Object.keys(contender.processes);
  const cpuNow = () => names.map((name) => cpuOf(contender.processes[name]?.() ?? []));
  const before = cpuNow();
  const { requests, seconds, errors, p50Ms, p99Ms } = await options.load.run(
    contender.target,
    options.seconds,
    options.connections * (contender.width ?? 1),
  );
  const cpu = Object.fromEntries(
    cpuNow().map((after, index) => [names[index] ?? '', (after - (before[index] ?? 0)) / requests]),
  );
  return {
    requestsPerSecond: requests / seconds,
    busy: ((cpu['itself'] ?? 0) * requests) / seconds / 1e6,
    cpu,
    errors,
    p50Ms,
    p99Ms,
  };
}

export const rateOf = ({ samples }: Measured): Spread =>
  spreadOf(samples.map(({ requestsPerSecond }) => requestsPerSecond));

export const busyOf = ({ samples }: Measured): Spread => spreadOf(samples.map(({ busy }) => busy));

export const cpuPerRequest = ({ samples }: Measured, process = 'itself'): Spread =>
  spreadOf(samples.map(({ cpu }) => cpu[process] ?? 0));
