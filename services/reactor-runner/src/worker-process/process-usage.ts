import { readFileSync, writeFileSync } from 'node:fs';

/** Of USER_HZ, which is 100 wherever Linux runs. */
const msPerTick = 10;

/** Memory of a process that is in RAM, in MB; undefined where the system does not tell. */
export function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Processor time that a process has used, in milliseconds (proc(5)); undefined where the system does not tell. */
export function processorMs(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name, which may have blanks in it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

/** Lets the kernel end this process before any other when memory runs out. */
export function offerToOomKiller(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Other systems have no such choice.
  }
}
