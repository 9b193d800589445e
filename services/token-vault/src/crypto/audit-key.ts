import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

import { keyBytes } from './aes-gcm.ts';
import type { KeyProvider, WrappedKey } from './key-provider.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/** Binds the wrapped key: a tenant's key does not unwrap in its place. */
const place = lengthPrefixed('glovebox/audit-key');

/** Creates the key of the audit log's seals. There is one for all tenants, because they share the log. */
export async function newAuditKey(provider: KeyProvider): Promise<WrappedKey> {
  const bytes = randomBytes(keyBytes);
  try {
    return await provider.wrap(bytes, place);
  } finally {
    bytes.fill(0);
  }
}

/** Wraps the key under the current key-encryption key. */
export async function rewrapAuditKey(provider: KeyProvider, key: WrappedKey): Promise<WrappedKey> {
  const bytes = await provider.unwrap(key.keyId, key.wrapped, place);
  try {
    return await provider.wrap(bytes, place);
  } finally {
    bytes.fill(0);
  }
}

export async function unwrapAuditKey(provider: KeyProvider, key: WrappedKey): Promise<KeyObject> {
  const bytes = await provider.unwrap(key.keyId, key.wrapped, place);
  const derived = Buffer.from(hkdfSync('sha256', bytes, '', 'glovebox/audit-seal/1', keyBytes));
  bytes.fill(0);
  const secret = createSecretKey(derived);
  derived.fill(0);
  return secret;
}
