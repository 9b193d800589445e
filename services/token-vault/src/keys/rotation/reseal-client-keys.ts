import type { Postgres } from '@glovebox/platform/db/postgres';

import { CannotOpenError } from '../../crypto/cannot-open-error.ts';
import { keyVersionOf, open, seal } from '../../crypto/envelope.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { lockClientKeys, replaceSealedClientKey } from '../../store/client-keys.ts';
import type { Rotation } from '../../store/key-rotations.ts';
import { privateKeyBinding } from '../client-keys/private-key.ts';
import type { Resealed } from './reseal-tokens.ts';

/** Seals the private keys of a tenant's clients under the new data key. A tenant has few. */
export function resealClientKeys(
  { postgres, keyring }: { readonly postgres: Postgres; readonly keyring: Keyring },
  { tenantId, version }: Rotation,
): Promise<Resealed> {
  return postgres.transaction(async (tx) => {
    const key = await keyring.sealingKey(tenantId, version);
    let [resealed, unreadable] = [0, 0];
    for (const sealed of await lockClientKeys(tx, tenantId, version)) {
      const binding = privateKeyBinding(sealed);
      const { sealedPrivateKey } = sealed;
      try {
        const earlier = await keyring.sealingKey(tenantId, keyVersionOf(sealedPrivateKey));
        const der = open(earlier, binding, sealedPrivateKey);
        await replaceSealedClientKey(tx, { ...sealed, sealedPrivateKey: seal(key, binding, der) });
        der.fill(0);
        resealed += 1;
      } catch (error) {
        if (!(error instanceof CannotOpenError)) throw error;
        unreadable += 1;
      }
    }
    return { resealed, unreadable };
  });
}
