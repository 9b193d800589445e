import { LRUCache } from 'lru-cache';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly since: number;
  loaded?: V;
}

export interface LoadOnceOptions<V> {
  readonly maxEntries: number;
  /** The age after which an entry is loaded again. Undefined: entries stay until they are evicted. */
  readonly maxAgeMs?: number;
  /** Which values age; undefined: all. */
  readonly ages?: (value: V) => boolean;
  /** After which errors of loading an aged entry again it stays for as long again; undefined: none. */
  readonly keeps?: (error: unknown) => boolean;
  readonly now?: () => number;
}

/** A bounded cache in which concurrent calls for a key share one load. Failed loads are not cached. */
export class LoadOnce<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #maxAgeMs: number;
  readonly #ages: ((value: V) => boolean) | undefined;
  readonly #keeps: (error: unknown) => boolean;
  readonly #now: () => number;

  constructor(options: LoadOnceOptions<V>) {
    this.#entries = new LRUCache({ max: options.maxEntries });
    this.#maxAgeMs = options.maxAgeMs ?? Number.POSITIVE_INFINITY;
    this.#ages = options.ages;
    this.#keeps = options.keeps ?? (() => false);
    this.#now = options.now ?? (() => performance.now());
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const cached = this.#entries.get(key);
    if (cached && !this.#isOld(cached)) return cached.value;
    const loading = load();
    const value =
      cached === undefined ? loading : loading.catch((error: unknown) => this.#kept(cached, error));
    const entry: Entry<V> = { value, since: this.#now() };
    this.#entries.set(key, entry);
    value.then(
      (loaded) => {
        entry.loaded = loaded;
      },
      () => {
        if (this.#entries.peek(key) === entry) this.#entries.delete(key);
      },
    );
    return value;
  }

  #isOld({ since, loaded }: Entry<V>): boolean {
    if (this.#now() - since < this.#maxAgeMs) return false;
    return this.#ages === undefined || (loaded !== undefined && this.#ages(loaded));
  }

  #kept(cached: Entry<V>, error: unknown): Promise<V> {
    if (this.#keeps(error)) return cached.value;
    throw error;
  }

  /** The value that is cached for a key, whatever its age. */
  peek(key: string): V | undefined {
    return this.#entries.peek(key)?.loaded;
  }

  /** The values that have been loaded. */
  *loaded(): Generator<V> {
    for (const { loaded } of this.#entries.values()) if (loaded !== undefined) yield loaded;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  forgetAll(of: (key: string) => boolean): void {
    for (const key of this.#entries.keys()) if (of(key)) this.#entries.delete(key);
  }
}
