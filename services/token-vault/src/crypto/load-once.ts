import { LRUCache } from 'lru-cache';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly since: number;
}

export interface LoadOnceOptions {
  readonly maxEntries: number;
  /** The age after which an entry is loaded again. Undefined: entries stay until they are evicted. */
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

/** A bounded cache in which concurrent calls for a key share one load. Failed loads are not cached. */
export class LoadOnce<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #maxAgeMs: number;
  readonly #now: () => number;

  constructor(options: LoadOnceOptions) {
    this.#entries = new LRUCache({ max: options.maxEntries });
    this.#maxAgeMs = options.maxAgeMs ?? Number.POSITIVE_INFINITY;
    this.#now = options.now ?? (() => performance.now());
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const held = this.#entries.get(key);
    if (held && this.#now() - held.since < this.#maxAgeMs) return held.value;
    const entry = { value: load(), since: this.#now() };
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.peek(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
