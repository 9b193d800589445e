/** With more open calls, frames keep a distance. */
const fewCalls = 8;
/** Between two frames, in milliseconds. Timers round to whole ones: it is one to two, and more under load. */
const distanceMs = 2;

/**
 * Decides when waiting calls are written. A frame costs both ends as much as about ten calls in it. With few open
 * calls, those of a tick are written at its end. With more, a call waits a moment for others: short compared to what
 * it takes under such load.
 */
export class Pace {
  readonly #flush: () => void;
  #scheduled = false;
  /** By performance.now(). */
  #flushedAt = -Infinity;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Flushes soon; further calls until then have no effect. */
  schedule(openCalls: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const waitMs = openCalls > fewCalls ? this.#flushedAt + distanceMs - performance.now() : 0;
    if (waitMs > 0) setTimeout(this.#run, Math.ceil(waitMs));
    else setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#scheduled = false;
    this.#flushedAt = performance.now();
    this.#flush();
  };
}
