import { LRUCache } from 'lru-cache';

import { CannotOpenError } from './cannot-open-error.ts';
import type { DekStore, KeyKind, StoredDek } from './dek-store.ts';
import type { SealingKey } from './envelope.ts';
import type { KeyProvider } from './key-provider.ts';
import { newDek, unwrapIndexKeys, unwrapSealingKey, type IndexKeys } from './tenant-keys.ts';

/**
 * The keys of every tenant, unwrapped at most once per process and held as KeyObjects.
 *
 * A tenant has two kinds of stored key:
 *
 * - `data` keys seal values. They are versioned and rotate: `rotate` adds version n+1, which seals from then on, while
 *   envelopes name their version and keep opening under it. Rows are sealed anew at leisure.
 * - one `index` key makes fingerprints and search hashes. It does not rotate along: a fingerprint is compared with
 *   those of years ago, is shown to clients and decides on deduplication, so under a new key every equal value would
 *   suddenly differ. It has a version as well; moving to a new one means computing every fingerprint and search hash
 *   anew from the opened values, which is a job of its own and never a side effect of rotating data keys.
 *
 * Two processes that need a tenant's first key at once both make one, both insert, and both read back what the store
 * kept: the store's uniqueness decides, the loser's key has sealed nothing.
 *
 * How often a data key may seal: 2^32 times (aes-gcm.ts). The count belongs beside the key in the store, raised by the
 * transaction that inserts sealed rows; that is where a later step compares it with the bound and calls `rotate`. At
 * 100 sealed values per second one tenant reaches it after 16 months.
 */
export interface KeyringOptions {
  readonly provider: KeyProvider;
  readonly store: DekStore;
  /** Cached keys of each kind. An entry is well below 1 KiB. */
  readonly maxHeldKeys?: number;
  /** How long this process may seal under a version after another process has rotated. */
  readonly currentMaxAgeMs?: number;
  readonly now?: () => number;
}

/** How long a vault may seal under a version after another process has rotated. */
export const currentKeyMaxAgeMs = 60_000;

const firstVersion = 1;

export class Keyring {
  readonly #provider: KeyProvider;
  readonly #store: DekStore;
  readonly #currentVersions: LoadOnce<number>;
  readonly #sealingKeys: LoadOnce<SealingKey>;
  readonly #indexKeys: LoadOnce<IndexKeys>;

  constructor({
    provider,
    store,
    maxHeldKeys = 10_000,
    currentMaxAgeMs = currentKeyMaxAgeMs,
    now,
  }: KeyringOptions) {
    this.#provider = provider;
    this.#store = store;
    this.#currentVersions = new LoadOnce({
      maxEntries: maxHeldKeys,
      maxAgeMs: currentMaxAgeMs,
      ...(now && { now }),
    });
    this.#sealingKeys = new LoadOnce({ maxEntries: maxHeldKeys });
    this.#indexKeys = new LoadOnce({ maxEntries: maxHeldKeys });
  }

  /** The key that seals now. Creates the tenant's first key, so `tenantId` must come from a resolved credential. */
  async currentSealingKey(tenantId: string): Promise<SealingKey> {
    const version = await this.#currentVersions.get(tenantId, async () => {
      const dek = await this.#currentDek(tenantId, 'data');
      return dek.version;
    });
    return this.sealingKey(tenantId, version);
  }

  /** @throws CannotOpenError for an unknown version: this vault did not write such an envelope. */
  sealingKey(tenantId: string, version: number): Promise<SealingKey> {
    return this.#sealingKeys.get(`${String(version)} ${tenantId}`, async () => {
      const dek = await this.#store.get(tenantId, 'data', version);
      if (!dek) throw new CannotOpenError();
      return unwrapSealingKey(this.#provider, dek);
    });
  }

  indexKeys(tenantId: string): Promise<IndexKeys> {
    return this.#indexKeys.get(tenantId, async () =>
      unwrapIndexKeys(this.#provider, await this.#currentDek(tenantId, 'index')),
    );
  }

  /** Adds the next version of the tenant's data key. Concurrent calls add a single one. */
  async rotate(tenantId: string): Promise<number> {
    const { version } = await this.#currentDek(tenantId, 'data');
    await this.#store.insertIfAbsent(await newDek(this.#provider, tenantId, 'data', version + 1));
    this.#currentVersions.forget(tenantId);
    return version + 1;
  }

  async #currentDek(tenantId: string, kind: KeyKind): Promise<StoredDek> {
    const existing = await this.#store.current(tenantId, kind);
    if (existing) return existing;
    await this.#store.insertIfAbsent(await newDek(this.#provider, tenantId, kind, firstVersion));
    const stored = await this.#store.current(tenantId, kind);
    if (!stored) throw new Error('the store of data keys did not keep the key that was inserted');
    return stored;
  }
}

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
