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

/** Items that come while rounds are under way wait, and are performed together. Where there is a place, nothing waits. */
export class JointRounds {
  readonly #most: number;
  #places: number;
  #waiting: Waiting[] = [];

  /**
   * @param places rounds at once
   * @param most items of one round; more come only where they came together
   */
  constructor(places: number, most: number) {
    this.#places = places;
    this.#most = most;
  }

  /**
   * Resolves when the round in which these items are performed has ended.
   * @param perform the same for all items of one object, which are of one type
   */
  run<T>(items: readonly T[], perform: PerformRound<T>): Promise<void> {
    if (this.#places > 0) return this.#perform(items, perform);
    const waiting = { items, perform: perform as PerformRound<unknown> };
    return new Promise((resolve) => this.#waiting.push({ ...waiting, resolve }));
  }

  async #perform<T>(items: readonly T[], perform: PerformRound<T>): Promise<void> {
    this.#places -= 1;
    let isFree = false;
    const free = () => {
      if (isFree) return;
      isFree = true;
      this.#places += 1;
      this.#next();
    };
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
