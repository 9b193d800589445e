/**
 * Runs at most so many tasks at once. Groups of callers take turns, and no group has all places as long as there are
 * two: another's first task need not wait for one of them to end.
 */
export class FairSemaphore {
  readonly #perGroup: number;
  #free: number;
  readonly #running = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limit: number) {
    this.#free = limit;
    this.#perGroup = Math.max(1, limit - 1);
  }

  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayRun(group)) this.#take(group);
    else await this.#wait(group);
    try {
      return await work();
    } finally {
      this.#leave(group);
    }
  }

  #mayRun(group: string): boolean {
    return this.#free > 0 && (this.#running.get(group) ?? 0) < this.#perGroup;
  }

  #take(group: string): void {
    this.#free -= 1;
    this.#running.set(group, (this.#running.get(group) ?? 0) + 1);
  }

  #wait(group: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(group);
      if (waiting === undefined) this.#waiting.set(group, [resolve]);
      else waiting.push(resolve);
    });
  }

  #leave(group: string): void {
    this.#free += 1;
    const left = (this.#running.get(group) ?? 0) - 1;
    if (left > 0) this.#running.set(group, left);
    else this.#running.delete(group);
    this.#wakeNext();
  }

  #wakeNext(): void {
    for (const [group, waiting] of this.#waiting) {
      if (!this.#mayRun(group)) continue;
      this.#take(group);
      const next = waiting.shift();
      this.#waiting.delete(group);
      // Its next one comes after those of all others.
      if (waiting.length > 0) this.#waiting.set(group, waiting);
      next?.();
      return;
    }
  }
}
