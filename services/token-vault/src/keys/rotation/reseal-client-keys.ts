import type { Transacting } from '@glovebox/platform/db/postgres';

import { keyVersionOf, open, seal } from '../../crypto/envelope.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { DataKey } from '../../crypto/tenant-keys.ts';
import { type StoredClientKey, lockClientKeys, replaceSealedClientKey } from '../../store/client-keys.ts';
import type { Rotation } from '../../store/key-rotations.ts';
import { clientKeyTag, requireAuthenticKeys } from '../client-keys/authentic-client-keys.ts';
import { privateKeyBinding } from '../client-keys/private-key.ts';
import type { Resealed } from './reseal-tokens.ts';

/** Seals the private keys of a tenant's clients under the new data key. A tenant has few. */
export function resealClientKeys(
  { postgres, keyring }: { readonly postgres: Transacting; readonly keyring: Keyring },
  { tenantId, version }: Rotation,
): Promise<Resealed> {
  return postgres.transaction(async (tx) => {
    const key = await keyring.keyToSeal(tenantId, version);
    let [resealed, unreadable] = [0, 0];
    for (const stored of await lockClientKeys(tx, tenantId, version)) {
      try {
        await requireAuthenticKeys(keyring, [stored]);
        await replaceSealedClientKey(tx, await resealOne(keyring, key, stored));
        resealed += 1;
      } catch (error) {
        if (!(error instanceof IntegrityViolation)) throw error;
        unreadable += 1;
      }
    }
    return { resealed, unreadable };
  });
}

async function resealOne(keyring: Keyring, key: DataKey, stored: StoredClientKey): Promise<StoredClientKey> {
  const { tenantId, sealedPrivateKey } = stored;
  const binding = privateKeyBinding(stored);
  const earlier = await keyring.sealingKey(tenantId, keyVersionOf(sealedPrivateKey));
  const der = open(earlier, binding, sealedPrivateKey);
  const anew = { ...stored, sealedPrivateKey: seal(key, binding, der, key.rowFormat) };
  der.fill(0);
  return { ...anew, tag: clientKeyTag(key, anew) };
}
