import { readFileSync } from 'node:fs';

import { childrenOf } from '@glovebox/local/processes';

/** Linux counts CPU time in ticks of 10 ms for user space, whatever the kernel's own clock is. */
const microsecondsPerTick = 10_000;

/** CPU time, user and system, that the processes have taken so far, in microseconds; 0 for one that has ended. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * microsecondsPerTick;
}

/** A process and its children, as Postgres has one for each connection. */
export function withChildren(pid: number): number[] {
  return [pid, ...childrenOf(pid)];
}

/** proc(5), /proc/pid/stat: user and system time are the 14th and 15th field. */
function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
