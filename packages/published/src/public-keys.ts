import { type KeyObject, createHash, createPublicKey, verify } from 'node:crypto';

import { string } from '@glovebox/platform/settings/builders';
import { derived } from '@glovebox/platform/settings/setting';

/** The keys by which readers know what control-api has published, by their id (hex). */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** Several are valid at once while the signing key changes (docs/operating.md#the-publication-key). */
export const publicKeysSetting = derived(
  string(
    'PUBLICATION_PUBLIC_KEYS',
    'The public keys by which published records are known, as base64 of their DER form, comma-separated. Records signed by any other key are refused ([how to make one](installing.md#5-secrets))',
  ),
  (text, problem): PublicKeys => {
    if (text === '') return new Map();
    const keys = readPublicKeys(text);
    if (keys === undefined)
      problem('PUBLICATION_PUBLIC_KEYS must be Ed25519 public keys: base64 of their DER form');
    return keys ?? new Map();
  },
);

export function keyIdOf(publicKey: KeyObject): Buffer {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest().subarray(0, 8);
}

/** Whether the key with this id is among the keys and has signed the message. Runs off the event loop. */
export function verifiedBy(
  keys: PublicKeys,
  keyId: string,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const key = keys.get(keyId);
  if (key === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    verify(null, message, key, signature, (error, isValid) => resolve(error === null && isValid));
  });
}

function readPublicKeys(text: string): PublicKeys | undefined {
  const keys = new Map<string, KeyObject>();
  try {
    for (const encoded of text.split(',')) {
      const key = createPublicKey({
        key: Buffer.from(encoded.trim(), 'base64'),
        format: 'der',
        type: 'spki',
      });
      if (key.asymmetricKeyType !== 'ed25519') return undefined;
      keys.set(keyIdOf(key).toString('hex'), key);
    }
  } catch {
    return undefined;
  }
  return keys;
}
