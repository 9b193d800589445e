/** How late a timeout may be noticed, about. */
const periodMs = 250;

/** What has times to keep. */
export interface Timed {
  /** @param now as of `deadlineAfter` */
  check(now: number): void;
}

/**
 * One timer for all connections and waiting requests.
 *
 * Its clock goes by at most two periods at once: while this process stalls, no time passes for destinations.
 */
export class Sweep {
  readonly #timed = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;
  #now = 0;
  #lastMs = 0;

  add(timed: Timed): void {
    this.#timed.add(timed);
    if (this.#timer !== undefined) return;
    this.#lastMs = performance.now();
    this.#timer = setInterval(this.#run, periodMs).unref();
  }

  delete(timed: Timed): void {
    this.#timed.delete(timed);
    if (this.#timed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @param ms 0: never. @returns the time on this clock, never too early */
  deadlineAfter(ms: number): number {
    return ms === 0 ? Infinity : this.#now + ms + periodMs;
  }

  readonly #run = (): void => {
    const ms = performance.now();
    this.#now += Math.min(ms - this.#lastMs, 2 * periodMs);
    this.#lastMs = ms;
    for (const timed of this.#timed) timed.check(this.#now);
  };
}
