/** Precision of deadlines, in milliseconds. */
const resolutionMs = 10;
/** Far below the longest delay of setTimeout (2^31 - 1). */
const longestDelayMs = 60_000;

/**
 * One timer for any number of deadlines, armed for the earliest. When it fires, the owner sweeps its open calls, ends
 * the late ones and returns the next deadline. A call that settles in time costs nothing here.
 */
export class Expiry {
  readonly #sweep: (now: number) => number;
  #armedFor = Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** @param sweep is given the time (ms since the epoch) and returns the earliest deadline left, or Infinity. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep;
  }

  /** Ensures a sweep soon after `deadline` (ms since the epoch). */
  watch(deadline: number): void {
    if (deadline < this.#armedFor) this.#arm(deadline);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#armedFor = Infinity;
  }

  #arm(deadline: number): void {
    clearTimeout(this.#timer);
    this.#armedFor = deadline;
    const delay = Math.max(resolutionMs, Math.min(deadline - Date.now(), longestDelayMs));
    this.#timer = setTimeout(() => this.#fire(), delay);
  }

  #fire(): void {
    this.#armedFor = Infinity;
    this.watch(this.#sweep(Date.now()));
  }
}
