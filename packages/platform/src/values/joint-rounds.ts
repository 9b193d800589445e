/**
 * Performs a round, and frees its place once the part is over for which others wait. Never rejects.
 * @param free may be called before the end
 */
export type PerformRound<T> = (items: readonly T[], free: () => void) => Promise<void>;

interface Waiting {
  readonly items: readonly unknown[];
  readonly perform: PerformRound<unknown>;
  readonly resolve: () => void;
}

/** Items that come while a round is under way wait, and are performed together. When none is, nothing waits. */
export class JointRounds {
  readonly #most: number;
  readonly #patienceMs: number;
  #isFree = true;
  #waiting: Waiting[] = [];

  /**
   * @param most items of one round; more come only where they came together
   * @param patienceMs a round that takes longer is not waited for: the next one begins beside it
   */
  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  /**
   * Resolves when the round in which these items are performed has ended.
   * @param perform the same for all items of one object, which are of one type
   */
  run<T>(items: readonly T[], perform: PerformRound<T>): Promise<void> {
    if (this.#isFree) return this.#perform(items, perform);
    const waiting = { items, perform: perform as PerformRound<unknown> };
    return new Promise((resolve) => this.#waiting.push({ ...waiting, resolve }));
  }

  async #perform<T>(items: readonly T[], perform: PerformRound<T>): Promise<void> {
    this.#isFree = false;
    let hasPlace = true;
    const free = () => {
      clearTimeout(patience);
      if (!hasPlace) return;
      hasPlace = false;
      this.#isFree = true;
      this.#next();
    };
    const patience = setTimeout(free, this.#patienceMs);
    await perform(items, free).finally(free);
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    let count = 0;
    const end = this.#waiting.findIndex(({ items }) => (count += items.length) > this.#most);
    const round = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
    const items = round.flatMap((waiting) => waiting.items);
    void this.#perform(items, first.perform).finally(() => {
      for (const { resolve } of round) resolve();
    });
  }
}
