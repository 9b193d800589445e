import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

export interface BulkheadLimits {
  /** Requests at once. */
  readonly slots: number;
  /** Requests that wait for a slot. */
  readonly waiting: number;
  /** Milliseconds that one waits. */
  readonly maxWaitMs: number;
}

/** So many requests at once; so many more wait in order, not for long. */
export class Bulkhead {
  readonly #limits: BulkheadLimits;
  #taken = 0;
  /** In order. The function hands the slot on. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#taken >= this.#limits.slots && this.#waiting.size >= this.#limits.waiting;
  }

  get isUnused(): boolean {
    return this.#taken === 0 && this.#waiting.size === 0;
  }

  /** @returns whether there is a slot, which then has to be left */
  enter(): MaybePromise<boolean> {
    if (this.#taken < this.#limits.slots) {
      this.#taken += 1;
      return true;
    }
    return !this.isFull && this.#wait();
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  #wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (hasSlot: boolean) => {
        this.#waiting.delete(handOn);
        clearTimeout(timer);
        resolve(hasSlot);
      };
      const handOn = () => settle(true);
      const timer = setTimeout(() => settle(false), this.#limits.maxWaitMs);
      this.#waiting.add(handOn);
    });
  }
}
