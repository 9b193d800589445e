import { type KeyObject, createPrivateKey } from 'node:crypto';

import { type Binding, keyVersionOf, open } from '../../crypto/envelope.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { SealedClientKey } from '../../store/client-keys.ts';

/** Binds a private key to its record. The field's prefix separates it from tokens, and from what Seal and Open handle. */
export function privateKeyBinding({ tenantId, id }: Pick<SealedClientKey, 'tenantId' | 'id'>): Binding {
  return { tenantId, recordId: id, field: 'client-key/private' };
}

export async function openPrivateKey(keyring: Keyring, sealed: SealedClientKey): Promise<KeyObject> {
  const { tenantId, sealedPrivateKey } = sealed;
  const sealingKey = await keyring.sealingKey(tenantId, keyVersionOf(sealedPrivateKey));
  const der = open(sealingKey, privateKeyBinding(sealed), sealedPrivateKey);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}
