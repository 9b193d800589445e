/** With more calls open than this, frames keep a distance. */
const fewCalls = 8;
/** Between two frames, in milliseconds: timers count whole ones from the last whole one, so it is one to two, and more under load. */
const distanceMs = 2;

/**
 * When waiting calls are written. A frame costs both of its ends as much as some ten calls in it. With few calls open
 * the calls of a tick are written at its end; with more of them, one call waits for others for a moment that is
 * short beside what such a load takes anyway.
 */
export class Pace {
  readonly #flush: () => void;
  #scheduled = false;
  /** By performance.now(). */
  #flushedAt = -Infinity;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Flushes soon, once however often this is called until then. */
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
