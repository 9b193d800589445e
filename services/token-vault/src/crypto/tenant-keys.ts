import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

import { keyBytes } from './aes-gcm.ts';
import type { KeyKind, RowFormat, StoredDek } from './dek-store.ts';
import type { SealingKey } from './envelope.ts';
import type { KeyProvider } from './key-provider.ts';
import { lengthPrefixed } from './length-prefixed.ts';
import { SealAllowance } from './seal-allowance.ts';
import { VaultSealed } from './vault-sealed.ts';

/**
 * A stored key is never used itself. HKDF-SHA256 (RFC 5869) derives one key per purpose from it, so that what is done
 * with one key says nothing about another: the fingerprints that clients see are no material against the search hashes,
 * and a GCM key never runs an HMAC. No salt: the input is 32 uniformly random bytes already (RFC 5869, section 3.1).
 */
type Purpose = 'seal' | 'tag' | 'fingerprint' | 'search' | 'request';

/** Keys in memory. After a drop their use is refused, also to a call that had them before. */
export interface Droppable {
  drop(): void;
}

/** One version of a tenant's index key. */
export interface IndexKey {
  readonly fingerprint: KeyObject;
  readonly search: KeyObject;
  readonly request: KeyObject;
}

/** The index keys of a tenant: fingerprints and search hashes are made under this one. */
export interface IndexKeys extends IndexKey {
  readonly version: number;
  /** Under which some may still be, or be already, while they are made anew. */
  readonly others: readonly Pick<IndexKey, 'fingerprint' | 'search'>[];
}

/** One version of a tenant's data key. */
export interface DataKey extends SealingKey {
  /** Authenticates rows and records. */
  readonly tag: KeyObject;
  /** The least that a row under this key must have. */
  readonly rowFormat: RowFormat;
}

/** The plaintext of a new key never leaves this function. */
export async function newDek(
  provider: KeyProvider,
  tenantId: string,
  kind: KeyKind,
  version: number,
  rowFormat: RowFormat,
): Promise<StoredDek> {
  const bytes = randomBytes(keyBytes);
  const named = { tenantId, kind, version, rowFormat };
  try {
    return { ...named, ...(await provider.wrap(bytes, place(named))) };
  } finally {
    bytes.fill(0);
  }
}

/** Wraps a key under the current key-encryption key. */
export async function rewrapDek(
  provider: KeyProvider,
  dek: StoredDek,
  rowFormat = dek.rowFormat,
): Promise<StoredDek> {
  const { tenantId, kind, version } = dek;
  const named = { tenantId, kind, version, rowFormat };
  const bytes = await unwrap(provider, dek);
  try {
    return { ...named, ...(await provider.wrap(bytes, place(named))) };
  } finally {
    bytes.fill(0);
  }
}

export async function unwrapDataKey(
  provider: KeyProvider,
  dek: StoredDek,
): Promise<DataKey & Droppable & { readonly allowance: SealAllowance }> {
  const bytes = await unwrap(provider, dek);
  try {
    const { version, rowFormat } = dek;
    const held = new HeldKeys(bytes, ['seal', 'tag']);
    const allowance = new SealAllowance();
    return {
      version,
      rowFormat,
      get key() {
        return held.get('seal');
      },
      get tag() {
        return held.get('tag');
      },
      allowance,
      spend: () => allowance.spend(),
      drop: () => held.drop(),
    };
  } finally {
    bytes.fill(0);
  }
}

export async function unwrapIndexKeys(provider: KeyProvider, dek: StoredDek): Promise<IndexKey & Droppable> {
  const bytes = await unwrap(provider, dek);
  try {
    const held = new HeldKeys(bytes, ['fingerprint', 'search', 'request']);
    return {
      get fingerprint() {
        return held.get('fingerprint');
      },
      get search() {
        return held.get('search');
      },
      get request() {
        return held.get('request');
      },
      drop: () => held.drop(),
    };
  } finally {
    bytes.fill(0);
  }
}

class HeldKeys {
  readonly #keys = new Map<Purpose, KeyObject>();

  constructor(bytes: Uint8Array, purposes: readonly Purpose[]) {
    for (const purpose of purposes) this.#keys.set(purpose, derive(bytes, purpose));
  }

  /** @throws VaultSealed when they were dropped */
  get(purpose: Purpose): KeyObject {
    const key = this.#keys.get(purpose);
    if (key === undefined) throw new VaultSealed();
    return key;
  }

  drop(): void {
    this.#keys.clear();
  }
}

function unwrap(provider: KeyProvider, dek: StoredDek): Promise<Buffer> {
  return provider.unwrap(dek.keyId, dek.wrapped, place(dek));
}

/**
 * Binds a wrapped key: it does not unwrap for another tenant, kind or version, nor for rows of an earlier format. Who can
 * write to the database can therefore not make a vault accept rows without a tag again.
 */
function place({ tenantId, kind, version, rowFormat }: Omit<StoredDek, 'keyId' | 'wrapped'>): Buffer {
  const parts = ['glovebox/data-key', tenantId, kind, String(version)];
  return lengthPrefixed(...parts, ...(rowFormat === 1 ? [] : [`rows/${rowFormat}`]));
}

function derive(dataKey: Uint8Array, purpose: Purpose): KeyObject {
  const derived = Buffer.from(hkdfSync('sha256', dataKey, '', `glovebox/${purpose}/1`, keyBytes));
  const key = createSecretKey(derived);
  derived.fill(0);
  return key;
}
