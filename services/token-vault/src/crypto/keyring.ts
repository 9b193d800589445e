import { AppError } from '@glovebox/platform/errors/app-error';
import { LRUCache } from 'lru-cache';

import type { DekStore, KeyKind, RowFormat, StoredDek } from './dek-store.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import type { KeyProvider } from './key-provider.ts';
import { KeysDestroyed } from './keys-destroyed.ts';
import {
  type DataKey,
  type Droppable,
  type IndexKeys,
  newDek,
  unwrapDataKey,
  unwrapIndexKeys,
} from './tenant-keys.ts';

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
 * A data key seals 2^31 values at most (aes-gcm.ts). The store counts them before they are sealed (seal-allowance.ts). At
 * half of them the key is rotated, so that vaults that still use the previous one for a while cannot reach the bound.
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

/** How long a vault may accept rows without a tag under a key that has come to refuse them. */
const untaggedMaxAgeMs = 10 * 60_000;

const firstVersion = 1;

/** Below the 2^32 of NIST SP 800-38D, section 8.3. */
export const mostSeals = 2 ** 31;
export const rotatesAtSeals = 2 ** 30;

type HeldDataKey = Awaited<ReturnType<typeof unwrapDataKey>>;

export class Keyring {
  readonly #provider: KeyProvider;
  readonly #store: DekStore;
  readonly #currentVersions: LoadOnce<number>;
  readonly #sealingKeys: LoadOnce<HeldDataKey>;
  readonly #indexKeys: LoadOnce<IndexKeys & Droppable>;

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
    this.#sealingKeys = new LoadOnce({
      maxEntries: maxHeldKeys,
      maxAgeMs: untaggedMaxAgeMs,
      ages: ({ rowFormat }) => rowFormat === 1,
      keeps: (error) =>
        error instanceof AppError && error.code === 'unavailable' && !(error instanceof KeysDestroyed),
      ...(now && { now }),
    });
    this.#indexKeys = new LoadOnce({ maxEntries: maxHeldKeys });
  }

  /**
   * The key that seals now. Creates the tenant's first key, so `tenantId` must come from a resolved credential, and the
   * next one when this one has sealed enough.
   */
  async currentSealingKey(tenantId: string): Promise<DataKey> {
    const version = await this.#currentVersion(tenantId);
    if (await this.maySeal(tenantId, version, rotatesAtSeals)) return this.#heldKey(tenantId, version);
    await this.#rotateFrom(tenantId, version);
    return this.keyToSeal(tenantId, await this.#currentVersion(tenantId));
  }

  /** A key that seals rows anew. @throws AppError `unavailable` when it may seal no more */
  async keyToSeal(tenantId: string, version: number): Promise<DataKey> {
    if (await this.maySeal(tenantId, version)) return this.#heldKey(tenantId, version);
    throw new AppError('unavailable', 'The key may seal no more. Rotate it again.');
  }

  /** Whether a key may seal: its seals were always counted, and are below the bound. */
  async maySeal(tenantId: string, version: number, most = mostSeals): Promise<boolean> {
    const { allowance } = await this.#heldKey(tenantId, version);
    return allowance.ensure(async (seals) => {
      const counted = await this.#store.reserveSeals(tenantId, version, seals, mostSeals);
      return counted !== undefined && counted <= most;
    });
  }

  /** Opens, and does not seal. @throws IntegrityViolation for an unknown version: this vault did not write such an envelope. */
  sealingKey(tenantId: string, version: number): Promise<DataKey> {
    return this.#heldKey(tenantId, version);
  }

  #currentVersion(tenantId: string): Promise<number> {
    return this.#currentVersions.get(tenantId, async () => {
      const dek = await this.#currentDek(tenantId, 'data');
      return dek.version;
    });
  }

  /** Rotates unless another process has. */
  async #rotateFrom(tenantId: string, version: number): Promise<void> {
    const current = await this.#currentDek(tenantId, 'data');
    if (current.version === version) await this.rotate(tenantId);
    this.#currentVersions.forget(tenantId);
  }

  indexKeys(tenantId: string): Promise<IndexKeys> {
    return this.#indexKeys.get(tenantId, async () =>
      unwrapIndexKeys(this.#provider, await this.#currentDek(tenantId, 'index')),
    );
  }

  /** Adds the next version of the tenant's data key, with the row format of the last or a later one. Concurrent calls add a single one. */
  async rotate(tenantId: string, least: RowFormat = 1): Promise<number> {
    const { version, rowFormat } = await this.#currentDek(tenantId, 'data');
    const next = rowFormat === 2 ? rowFormat : least;
    await this.#store.insertIfAbsent(await newDek(this.#provider, tenantId, 'data', version + 1, next));
    this.#currentVersions.forget(tenantId);
    return version + 1;
  }

  /** Drops the keys of a tenant whose stored ones were destroyed: from then on they are looked up. */
  forget(tenantId: string): void {
    for (const held of [this.#currentVersions, this.#sealingKeys, this.#indexKeys]) {
      held.forgetAll((key) => key.endsWith(tenantId));
    }
  }

  /** Drops the keys of all tenants. Calls that have them already may go on. */
  forgetAll(): void {
    this.forget('');
  }

  /** Drops the keys of all tenants, and refuses them to every call. */
  drop(): void {
    for (const held of [this.#sealingKeys, this.#indexKeys]) {
      for (const keys of held.loaded()) keys.drop();
    }
    this.forgetAll();
  }

  #heldKey(tenantId: string, version: number): Promise<HeldDataKey> {
    return this.#sealingKeys.get(`${String(version)} ${tenantId}`, async () => {
      const dek = await this.#store.get(tenantId, 'data', version);
      if (!dek) throw new IntegrityViolation();
      return unwrapDataKey(this.#provider, dek);
    });
  }

  async #currentDek(tenantId: string, kind: KeyKind): Promise<StoredDek> {
    const existing = await this.#store.current(tenantId, kind);
    if (existing) return existing;
    const rowFormat = kind === 'data' && (await this.#store.startsWithTags()) ? 2 : 1;
    await this.#store.insertIfAbsent(await newDek(this.#provider, tenantId, kind, firstVersion, rowFormat));
    const stored = await this.#store.current(tenantId, kind);
    if (!stored) throw new Error('the store of data keys did not keep the key that was inserted');
    return stored;
  }
}

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
    const held = this.#entries.get(key);
    if (held && !this.#isOld(held)) return held.value;
    const loading = load();
    const value = held === undefined ? loading : loading.catch((error: unknown) => this.#kept(held, error));
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

  #kept(held: Entry<V>, error: unknown): Promise<V> {
    if (this.#keeps(error)) return held.value;
    throw error;
  }

  /** What is held now. */
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
