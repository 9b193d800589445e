import type { Redis } from '@glovebox/platform/db/redis';
import { readKeyUses } from '@glovebox/published/key-uses';
import type { RedisNames } from '@glovebox/published/keys';

import { type KeyRow, showKey } from './key.ts';

/** When API keys were last used, as the services note it. */
export interface LastUses {
  /** Of each of these keys; undefined where it is not known. Never rejects. */
  of(tenantId: string, keyHashes: readonly string[]): Promise<readonly (Date | undefined)[]>;
}

export function lastUses(redis: Redis, names: Pick<RedisNames, 'keyUses'>): LastUses {
  return {
    // Keys are shown without Redis as well.
    of: (tenantId, hashes) =>
      readKeyUses(redis, names, tenantId, hashes).catch(() => hashes.map(() => undefined)),
  };
}

/** Keys as the API shows them, with their last uses. */
export async function showKeys(uses: LastUses, tenantId: string, keys: readonly KeyRow[]): Promise<object[]> {
  const times = await uses.of(
    tenantId,
    keys.map(({ key_hash }) => key_hash),
  );
  return keys.map((key, index) => showKey(key, undefined, times[index]));
}
