/** Deadlines are kept to within this many milliseconds. */
const resolutionMs = 10;
/** Far below the longest delay that setTimeout knows (2^31 - 1). */
const longestDelayMs = 60_000;

/**
 * One timer for any number of deadlines. It is armed for the earliest that it was told of; when it fires, the
 * owner goes through what is open, ends what is late, and says which deadline comes next. What settles in time
 * costs nothing here.
 */
export class Expiry {
  readonly #sweep: (now: number) => number;
  #armedFor = Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** @param sweep is given the time (ms since the epoch) and returns the earliest deadline left, or Infinity. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep;
  }

  /** Makes sure that a sweep follows soon after `deadline` (ms since the epoch). */
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
