import { readFileSync, readdirSync } from 'node:fs';

import { childrenOf } from '@glovebox/local/processes';

import { forgetPeak, peakBytes, residentBytes } from '../../../bench/src/measure/resident-memory.ts';

/** What one request took of one process. */
export interface Cost {
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** A service with the processes that it has started. */
export interface Measured {
  readonly name: string;
  readonly pid: number;
}

/**
 * What a request takes of each service: the least of several times, so that neither a collection of garbage nor a timer is
 * counted, which other requests would have met as well.
 */
export async function costOf(
  services: readonly Measured[],
  send: () => Promise<unknown>,
  times: number,
): Promise<Map<string, Cost>> {
  const least = new Map<string, Cost>();
  for (let time = 0; time < times; time += 1) {
    const before = services.map(({ pid }) => readingOf(pid));
    await send();
    for (const [at, { name, pid }] of services.entries()) {
      const [cpuMs, peak] = [cpuOf(pid) - before[at]!.cpuMs, peakBytes(pid)];
      const megabytes = Math.max(0, peak - before[at]!.bytes) / 2 ** 20;
      const known = least.get(name) ?? { cpuMs: Infinity, megabytes: Infinity };
      least.set(name, {
        cpuMs: Math.min(known.cpuMs, cpuMs),
        megabytes: Math.min(known.megabytes, megabytes),
      });
    }
  }
  return least;
}

function readingOf(pid: number): { cpuMs: number; bytes: number } {
  forgetPeak(pid);
  return { cpuMs: cpuOf(pid), bytes: residentBytes(pid) };
}

/** Of all threads, and of its children's; the kernel counts nanoseconds here (proc(5), schedstat). */
function cpuOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + threadsMs(one), 0);
}

function threadsMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      0,
    );
  } catch {
    return 0;
  }
}
