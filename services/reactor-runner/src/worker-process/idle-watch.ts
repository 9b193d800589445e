import { processorMs } from './process-usage.ts';

/** How often it is looked at. */
const intervalMs = 1000;
/** A worker that has nothing to do may use so much of a processor, e.g. to collect garbage or to make a spare isolate. */
const maxProcessorMs = 2000;

/** Notices a worker process that goes on working when nobody waits for anything in it. */
export class IdleWatch {
  readonly #pid: number;
  #lookedAt = 0;
  #idleSince = 0;
  #processorMs = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Whether it is time to look, since looking costs something. @param now by performance.now(). */
  isDue(now: number): boolean {
    if (now < this.#lookedAt + intervalMs) return false;
    this.#lookedAt = now;
    return true;
  }

  /** Whether it has worked too much since it became idle. @param idleSince by performance.now(). */
  isTooBusy(idleSince: number): boolean {
    const used = processorMs(this.#pid) ?? 0;
    if (idleSince !== this.#idleSince) {
      this.#idleSince = idleSince;
      this.#processorMs = used;
    }
    return used - this.#processorMs > maxProcessorMs;
  }
}
