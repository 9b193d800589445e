import { LRUCache } from 'lru-cache';

export interface CountLimits {
  /** Smaller counts are always fresh. */
  readonly countedAnew: number;
  /** How long a larger count is cached. */
  readonly countKeptMs: number;
  /** A count stops here: a request takes bounded time. */
  readonly mostCounted: number;
}

/**
 * Counts the entries of a list. Large counts are cached: counting a million takes some tenths of a second, and the
 * next page needs no fresh count.
 */
export class CachedCounts {
  readonly #large: LRUCache<string, Promise<number>>;
  readonly #countedAnew: number;
  readonly #most: number;

  constructor({ countedAnew, countKeptMs, mostCounted }: CountLimits) {
    this.#large = new LRUCache({ max: 1000, ttl: countKeptMs });
    this.#countedAnew = countedAnew;
    this.#most = mostCounted;
  }

  /** @param name identifies the question. @param countUpTo counts, and stops at a limit */
  async count(name: string, countUpTo: (limit: number) => Promise<number>): Promise<number> {
    const known = this.#large.get(name);
    if (known !== undefined) return known;
    const counted = await countUpTo(this.#countedAnew + 1);
    if (counted <= this.#countedAnew) return counted;
    return this.#large.get(name) ?? this.#begin(name, countUpTo);
  }

  #begin(name: string, countUpTo: (limit: number) => Promise<number>): Promise<number> {
    const counting = countUpTo(this.#most);
    this.#large.set(name, counting);
    counting.catch(() => this.#large.delete(name));
    return counting;
  }
}
