import { type KeyObject, createPrivateKey } from 'node:crypto';

import { type Binding, keyVersionOf, open } from '../../crypto/envelope.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { StoredClientKey } from '../../store/client-keys.ts';

/** Binds a private key to its record. The field's prefix separates it from tokens, and from what Seal and Open handle. */
export function privateKeyBinding({ tenantId, id }: Pick<StoredClientKey, 'tenantId' | 'id'>): Binding {
  return { tenantId, recordId: id, field: 'client-key/private' };
}

export async function openPrivateKey(keyring: Keyring, sealed: StoredClientKey): Promise<KeyObject> {
  const { tenantId, sealedPrivateKey } = sealed;
  const sealingKey = await keyring.sealingKey(tenantId, keyVersionOf(sealedPrivateKey));
  const der = open(sealingKey, privateKeyBinding(sealed), sealedPrivateKey);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}
