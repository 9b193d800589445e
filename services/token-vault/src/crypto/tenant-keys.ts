import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

import { keyBytes } from './aes-gcm.ts';
import type { KeyKind, StoredDek } from './dek-store.ts';
import type { SealingKey } from './envelope.ts';
import type { KeyProvider } from './key-provider.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/**
 * A stored key is never used itself. HKDF-SHA256 (RFC 5869) derives one key per purpose from it, so that what is done
 * with one key says nothing about another: the fingerprints that clients see are no material against the search hashes,
 * and a GCM key never runs an HMAC. No salt: the input is 32 uniformly random bytes already (RFC 5869, section 3.1).
 */
type Purpose = 'seal' | 'fingerprint' | 'search' | 'request';

export interface IndexKeys {
  readonly fingerprint: KeyObject;
  readonly search: KeyObject;
  readonly request: KeyObject;
}

/** The plaintext of a new key never leaves this function. */
export async function newDek(
  provider: KeyProvider,
  tenantId: string,
  kind: KeyKind,
  version: number,
): Promise<StoredDek> {
  const bytes = randomBytes(keyBytes);
  try {
    return { tenantId, kind, version, ...(await provider.wrap(bytes, place(tenantId, kind, version))) };
  } finally {
    bytes.fill(0);
  }
}

/** Wraps a key under the current key-encryption key. */
export async function rewrapDek(provider: KeyProvider, dek: StoredDek): Promise<StoredDek> {
  const { tenantId, kind, version } = dek;
  const bytes = await unwrap(provider, dek);
  try {
    return { tenantId, kind, version, ...(await provider.wrap(bytes, place(tenantId, kind, version))) };
  } finally {
    bytes.fill(0);
  }
}

export async function unwrapSealingKey(provider: KeyProvider, dek: StoredDek): Promise<SealingKey> {
  const bytes = await unwrap(provider, dek);
  try {
    return { version: dek.version, key: derive(bytes, 'seal') };
  } finally {
    bytes.fill(0);
  }
}

export async function unwrapIndexKeys(provider: KeyProvider, dek: StoredDek): Promise<IndexKeys> {
  const bytes = await unwrap(provider, dek);
  try {
    return {
      fingerprint: derive(bytes, 'fingerprint'),
      search: derive(bytes, 'search'),
      request: derive(bytes, 'request'),
    };
  } finally {
    bytes.fill(0);
  }
}

function unwrap(provider: KeyProvider, dek: StoredDek): Promise<Buffer> {
  return provider.unwrap(dek.keyId, dek.wrapped, place(dek.tenantId, dek.kind, dek.version));
}

/** Binds a wrapped key: it does not unwrap for another tenant, kind or version. */
function place(tenantId: string, kind: KeyKind, version: number): Buffer {
  return lengthPrefixed('glovebox/data-key', tenantId, kind, String(version));
}

function derive(dataKey: Uint8Array, purpose: Purpose): KeyObject {
  const derived = Buffer.from(hkdfSync('sha256', dataKey, '', `glovebox/${purpose}/1`, keyBytes));
  const key = createSecretKey(derived);
  derived.fill(0);
  return key;
}
