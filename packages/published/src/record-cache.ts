import { LRUCache } from 'lru-cache';

/** The outcome of reading a published record. */
export type Reading<T> =
  | { readonly outcome: 'found'; readonly value: T }
  /** The projection is whole and does not hold the record. */
  | { readonly outcome: 'absent' }
  /** Unknown: no connection, no answer in time, or a projection that is not whole. */
  | { readonly outcome: 'unavailable'; readonly cause: unknown };

export interface RecordCacheOptions {
  /** Most records kept, absent ones included. */
  readonly maxEntries: number;
  /** A record is read again after this, even when no change was announced. Jittered by a fifth. */
  readonly freshMs: number;
  /** A record that can't be read again serves this long after it was last confirmed, then no more. */
  readonly maxStaleMs: number;
  /** After a failed read, stale records are served this long without another attempt. */
  readonly retryAfterMs: number;
  readonly now?: () => number;
}

interface Entry<T> {
  readonly value: T | undefined;
  readonly confirmedAt: number;
  readonly freshUntil: number;
  readonly generation: number;
}

/**
 * Caches published records, absent ones too: fresh for a while, one read per key at a time, and stale for a bounded
 * time when nothing can be read. An announced change drops its record at once; a read that was in progress by then is
 * answered but not cached.
 */
export class RecordCache<T extends object> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #loads = new Map<string, Promise<T | undefined>>();
  readonly #read: (key: string) => Promise<Reading<T>>;
  readonly #unavailable: (cause: unknown) => Error;
  readonly #options: RecordCacheOptions;
  readonly #now: () => number;
  #generation = 0;
  #retryAt = 0;

  constructor(
    read: (key: string) => Promise<Reading<T>>,
    unavailable: (cause: unknown) => Error,
    options: RecordCacheOptions,
  ) {
    this.#read = read;
    this.#unavailable = unavailable;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  /** The record, or undefined when there is none; at once when a fresh one is at hand. Rejects when unavailable. */
  get(key: string): T | undefined | Promise<T | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.generation === this.#generation && this.#now() < entry.freshUntil) {
      return entry.value;
    }
    return this.#loads.get(key) ?? this.#load(key, entry);
  }

  /** Drops one record: a change of it was announced. */
  invalidate(key: string): void {
    this.#entries.delete(key);
    this.#loads.delete(key);
  }

  /** Announcements may have been missed: every record is read again before it counts as fresh. */
  doubtAll(): void {
    this.#generation += 1;
    this.#loads.clear();
    this.#retryAt = 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  #load(key: string, known: Entry<T> | undefined): Promise<T | undefined> | T | undefined {
    const now = this.#now();
    if (now < this.#retryAt && this.#mayServeStale(known, now)) return known.value;
    const generation = this.#generation;
    const flight: { load?: Promise<T | undefined> } = {};
    flight.load = this.#read(key).then((reading) => {
      const keep = this.#loads.get(key) === flight.load && generation === this.#generation;
      if (keep) this.#loads.delete(key);
      return this.#settle(key, known, reading, keep ? generation : undefined);
    });
    this.#loads.set(key, flight.load);
    return flight.load;
  }

  #settle(
    key: string,
    known: Entry<T> | undefined,
    reading: Reading<T>,
    generation: number | undefined,
  ): T | undefined {
    const now = this.#now();
    if (reading.outcome === 'unavailable') {
      this.#retryAt = now + this.#options.retryAfterMs;
      if (generation !== undefined && this.#mayServeStale(known, now)) return known.value;
      throw this.#unavailable(reading.cause);
    }
    const value = reading.outcome === 'found' ? reading.value : undefined;
    if (generation !== undefined) {
      const lifetime = this.#options.freshMs * (0.8 + Math.random() * 0.2);
      this.#entries.set(key, { value, confirmedAt: now, freshUntil: now + lifetime, generation });
    }
    return value;
  }

  #mayServeStale(known: Entry<T> | undefined, now: number): known is Entry<T> {
    return known !== undefined && now - known.confirmedAt < this.#options.maxStaleMs;
  }
}
