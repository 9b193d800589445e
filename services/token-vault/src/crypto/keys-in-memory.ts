import { createSecretKey, randomBytes } from 'node:crypto';

import { decrypt, encrypt } from './aes-gcm.ts';
import type { KeyProvider } from './key-provider.ts';

const noHeader = new Uint8Array();

/** One key that ends with the process: for data keys that nothing is to outlive. */
export function keysInMemory(): KeyProvider {
  const currentKeyId = 'memory';
  const key = createSecretKey(randomBytes(32));
  return {
    currentKeyId,
    wrap: (dataKey, aad) =>
      Promise.resolve({ keyId: currentKeyId, wrapped: encrypt(key, aad, dataKey, noHeader) }),
    unwrap: (_keyId, wrapped, aad) => Promise.resolve(decrypt(key, aad, wrapped)),
  };
}
