import { readFileSync, writeFileSync } from 'node:fs';

/** Of USER_HZ, which is 100 wherever Linux runs. */
const msPerTick = 10;

/** Resident memory of a process, in MB; undefined where the system does not say. */
export function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Whether a process holds more than that; false where the system does not say. */
export function holdsMoreThan(limitMb: number, pid: number): boolean {
  return (residentMb(pid) ?? 0) > limitMb;
}

/** Processor time that a process has used, in milliseconds (proc(5)); undefined where the system does not say. */
function processorMs(pid: number): number | undefined {
  return processorMsIn(`/proc/${pid}/stat`);
}

function processorMsIn(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'latin1');
    // The second field is a name, which may contain blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

/** Processor time that the main thread of a process has used, in milliseconds; undefined where the system does not say. */
export function mainThreadMs(pid: number): number | undefined {
  return processorMsIn(`/proc/${pid}/task/${pid}/stat`);
}

/** Has the kernel end this process before any other when memory runs out. */
export function offerToOomKiller(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Not available on other systems.
  }
}

/** How often an idle worker is looked at. */
const intervalMs = 1000;
/** Processor time that an idle worker may use, e.g. to collect garbage or to make a spare isolate. */
const maxProcessorMs = 2000;

/** Notices a worker process that keeps working although it has no calls. */
export class IdleWatch {
  readonly #pid: number;
  #lookedAt = 0;
  #idleSince = 0;
  #processorMs = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Whether it is time to look, since looking is not free. @param now by performance.now() */
  isDue(now: number): boolean {
    if (now < this.#lookedAt + intervalMs) return false;
    this.#lookedAt = now;
    return true;
  }

  /** Whether the process has used too much processor time since it became idle. @param idleSince by performance.now() */
  isTooBusy(idleSince: number): boolean {
    const used = processorMs(this.#pid) ?? 0;
    if (idleSince !== this.#idleSince) {
      this.#idleSince = idleSince;
      this.#processorMs = used;
    }
    return used - this.#processorMs > maxProcessorMs;
  }
}
