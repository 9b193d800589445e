import type { Redis } from '@glovebox/platform/db/redis';
import { readKeyUses } from '@glovebox/published/key-uses';
import type { RedisNames } from '@glovebox/published/keys';
import { keyField, readRecent } from '@glovebox/published/recent-counts';

import { type KeyRow, showKey } from './key.ts';

/** How an API key is used; both are undefined where they are not known. */
export interface KeyUse {
  readonly lastUsedAt: Date | undefined;
  /** On average in the last hour; undefined where it was not used, too. */
  readonly perMinute: number | undefined;
}

/** How API keys are used, as the services note it. */
export interface LastUses {
  /** Of each of these keys. Never rejects. */
  of(tenantId: string, keyHashes: readonly string[]): Promise<readonly KeyUse[]>;
}

export function lastUses(redis: Redis, names: Pick<RedisNames, 'keyUses' | 'recentCounts'>): LastUses {
  const read = async (tenantId: string, hashes: readonly string[]) => {
    const [times, { since, fields }] = await Promise.all([
      readKeyUses(redis, names, tenantId, hashes),
      readRecent(redis, names, tenantId),
    ]);
    const minutes = (Date.now() - since.getTime()) / 60_000;
    return hashes.map((hash, index) => {
      const count = fields.get(keyField(hash));
      const perMinute = count === undefined ? undefined : Math.round((100 * count) / minutes) / 100;
      return { lastUsedAt: times[index], perMinute };
    });
  };
  // Keys are shown without Redis as well.
  const unknown = { lastUsedAt: undefined, perMinute: undefined };
  return { of: (tenantId, hashes) => read(tenantId, hashes).catch(() => hashes.map(() => unknown)) };
}

/** Keys as the API shows them, with their use. */
export async function showKeys(uses: LastUses, tenantId: string, keys: readonly KeyRow[]): Promise<object[]> {
  const known = await uses.of(
    tenantId,
    keys.map(({ key_hash }) => key_hash),
  );
  return keys.map((key, index) => showKey(key, undefined, known[index]));
}
