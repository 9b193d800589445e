import { AppError } from '@glovebox/platform/errors/app-error';

import type { DekStore, IndexVersions, KeyKind, RowFormat, StoredDek } from './dek-store.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import { currentKeyMaxAgeMs } from './key-ages.ts';
import type { KeyProvider } from './key-provider.ts';
import { KeysDestroyed } from './keys-destroyed.ts';
import { LoadOnce } from './load-once.ts';
import {
  type DataKey,
  type Droppable,
  type IndexKey,
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
 *   envelopes name their version and keep opening under it. Rows are sealed again in the background.
 * - one `index` key makes fingerprints and search hashes. It does not rotate along: a fingerprint is compared with
 *   those of years ago, is shown to clients and decides on deduplication. A new one means that every fingerprint and
 *   search hash is made anew (keys/rotation/remake-index.ts); until then both are used to find them.
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
  readonly #indexVersions: LoadOnce<IndexVersions>;
  readonly #indexKeys: LoadOnce<IndexKey & Droppable>;
  #onIndexChange: () => void = () => undefined;

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
    this.#indexVersions = new LoadOnce({
      maxEntries: maxHeldKeys,
      maxAgeMs: currentMaxAgeMs,
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

  /** The key for sealing rows again. @throws AppError `unavailable` when the key has reached its limit of seals */
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

  /** Creates the tenant's first one. */
  async indexKeys(tenantId: string): Promise<IndexKeys> {
    const versions = await this.#indexVersions.get(tenantId, () => this.#loadIndexVersions(tenantId));
    const [writing, first, ...others] = await Promise.all(
      [versions.writing, versions.first, ...versions.others].map((version) =>
        this.#indexKey(tenantId, version),
      ),
    );
    if (writing === undefined || first === undefined) throw new IntegrityViolation();
    return {
      version: versions.writing,
      get fingerprint() {
        return writing.fingerprint;
      },
      get search() {
        return writing.search;
      },
      // A repeated request must be known after a rotation too.
      get request() {
        return first.request;
      },
      others,
    };
  }

  /** Adds an index key unless it is there. @returns since when it is, in milliseconds */
  async addIndexKey(tenantId: string, version: number): Promise<number> {
    if ((await this.#store.get(tenantId, 'index', version)) === undefined) {
      await this.#store.insertIfAbsent(await newDek(this.#provider, tenantId, 'index', version, 1));
    }
    return this.#store.ageOfIndexKey(tenantId, version);
  }

  /** @param act when fingerprints of stored tokens may have become others */
  whenIndexChanges(act: () => void): void {
    this.#onIndexChange = act;
  }

  async #loadIndexVersions(tenantId: string): Promise<IndexVersions> {
    const known = this.#indexVersions.peek(tenantId);
    const found = await this.#store.indexVersions(tenantId);
    if (found !== undefined) {
      if (known !== undefined && nameOfVersions(known) !== nameOfVersions(found)) this.#onIndexChange();
      return found;
    }
    const { version } = await this.#currentDek(tenantId, 'index');
    return { writing: version, others: [], first: version };
  }

  #indexKey(tenantId: string, version: number): Promise<IndexKey & Droppable> {
    return this.#indexKeys.get(`${String(version)} ${tenantId}`, async () => {
      const dek = await this.#store.get(tenantId, 'index', version);
      if (!dek) throw new IntegrityViolation();
      return unwrapIndexKeys(this.#provider, dek);
    });
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
    for (const cache of [this.#currentVersions, this.#sealingKeys, this.#indexVersions, this.#indexKeys]) {
      cache.forgetAll((key) => key.endsWith(tenantId));
    }
  }

  /** Drops the keys of all tenants. Calls that have them already may go on. */
  forgetAll(): void {
    this.forget('');
  }

  /** Drops the keys of all tenants, and refuses them to every call. */
  drop(): void {
    for (const cache of [this.#sealingKeys, this.#indexKeys]) {
      for (const keys of cache.loaded()) keys.drop();
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

function nameOfVersions({ writing, others }: IndexVersions): string {
  return [writing, ...others].join(' ');
}
