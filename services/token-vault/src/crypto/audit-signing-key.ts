import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

import { fingerprintOf, jwkOf } from '@glovebox/platform/signed-log/public-key';

import type { KeyProvider, WrappedKey } from './key-provider.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/** A private key of Ed25519 that signs exports of the audit log. */
export interface StoredSigningKey extends WrappedKey {
  /** Of its public key. */
  readonly fingerprint: string;
}

/** The private key never leaves this function unwrapped. */
export async function newSigningKey(provider: KeyProvider): Promise<StoredSigningKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return wrap(provider, fingerprintOf(jwkOf(privateKey)), derOf(privateKey));
}

/** Wraps the key under the current key-encryption key. */
export async function rewrapSigningKey(
  provider: KeyProvider,
  { fingerprint, keyId, wrapped }: StoredSigningKey,
): Promise<StoredSigningKey> {
  return wrap(provider, fingerprint, await provider.unwrap(keyId, wrapped, place(fingerprint)));
}

export async function unwrapSigningKey(
  provider: KeyProvider,
  { fingerprint, keyId, wrapped }: StoredSigningKey,
): Promise<KeyObject> {
  const der = await provider.unwrap(keyId, wrapped, place(fingerprint));
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

async function wrap(provider: KeyProvider, fingerprint: string, der: Buffer): Promise<StoredSigningKey> {
  try {
    return { fingerprint, ...(await provider.wrap(der, place(fingerprint))) };
  } finally {
    der.fill(0);
  }
}

function derOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'pkcs8' });
}

/** Binds the wrapped key: another key does not unwrap in its place. */
function place(fingerprint: string): Buffer {
  return lengthPrefixed('glovebox/audit-signing-key', fingerprint);
}
