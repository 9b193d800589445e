import { LRUCache } from 'lru-cache';

/** Endpoints whose last delivery failed. A forgotten endpoint counts as working. */
const maxFailing = 10_000;

/** Limits the concurrent deliveries to each endpoint: a failing endpoint gets one at a time. */
export class DeliveryShares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  readonly #failing = new LRUCache<string, true>({ max: maxFailing });

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a delivery until the result is disposed. Undefined at the limit. */
  enter(endpoint: string): Disposable | undefined {
    const count = this.#counts.get(endpoint) ?? 0;
    if (count >= (this.isFailing(endpoint) ? 1 : this.#most)) return undefined;
    this.#counts.set(endpoint, count + 1);
    return { [Symbol.dispose]: () => this.#leave(endpoint) };
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

  #leave(endpoint: string): void {
    const count = this.#counts.get(endpoint) ?? 0;
    if (count > 1) this.#counts.set(endpoint, count - 1);
    else this.#counts.delete(endpoint);
  }
}
