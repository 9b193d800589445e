import { LRUCache } from 'lru-cache';

import { KeyCounts } from '../values/key-counts.ts';

/** Endpoints whose last delivery failed. A forgotten endpoint counts as working. */
const maxFailing = 10_000;

/** Limits the concurrent deliveries to each endpoint: a failing endpoint gets one at a time. */
export class DeliveryShares {
  readonly #most: number;
  readonly #underWay = new KeyCounts();
  readonly #failing = new LRUCache<string, true>({ max: maxFailing });

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a delivery until the result is disposed. Undefined at the limit. */
  enter(endpoint: string): Disposable | undefined {
    return this.#underWay.enter(endpoint, this.isFailing(endpoint) ? 1 : this.#most);
  }

  /** Whether the last delivery failed. */
  isFailing(endpoint: string): boolean {
    return this.#failing.has(endpoint);
  }

  /** Records the result of a delivery. */
  record(endpoint: string, delivered: boolean): void {
    if (delivered) this.#failing.delete(endpoint);
    else this.#failing.set(endpoint, true);
  }
}
