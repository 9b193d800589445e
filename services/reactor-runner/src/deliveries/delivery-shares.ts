import { LRUCache } from 'lru-cache';

/** Endpoints that did not take the last delivery. What is forgotten counts as well again. */
const maxFailing = 10_000;

/** How many deliveries to each endpoint are under way: a share of them all, and one alone for an endpoint that fails. */
export class DeliveryShares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  readonly #failing = new LRUCache<string, true>({ max: maxFailing });

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined when the endpoint has its share; else disposing what it gives ends the delivery. */
  enter(endpoint: string): Disposable | undefined {
    const count = this.#counts.get(endpoint) ?? 0;
    if (count >= (this.isFailing(endpoint) ? 1 : this.#most)) return undefined;
    this.#counts.set(endpoint, count + 1);
    return { [Symbol.dispose]: () => this.#leave(endpoint) };
  }

  /** It did not take the last delivery. */
  isFailing(endpoint: string): boolean {
    return this.#failing.has(endpoint);
  }

  /** What came of the last delivery. */
  note(endpoint: string, delivered: boolean): void {
    if (delivered) this.#failing.delete(endpoint);
    else this.#failing.set(endpoint, true);
  }

  #leave(endpoint: string): void {
    const count = this.#counts.get(endpoint) ?? 0;
    if (count > 1) this.#counts.set(endpoint, count - 1);
    else this.#counts.delete(endpoint);
  }
}
