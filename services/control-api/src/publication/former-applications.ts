import { getValues } from '@glovebox/platform/db/get-values';
import type { Redis } from '@glovebox/platform/db/redis';
import type { RedisNames } from '@glovebox/published/keys';
import { signText } from '@glovebox/published/signed-text';

import type { PublicationKeys } from './publication-keys.ts';
import { type NamedRecord, applicationNamedBy } from './record.ts';
import { redisCommand } from './redis-command.ts';
import { applicationIn } from './verified-value.ts';

/** No code runs for longer. */
const longestRunMs = 3_600_000;

/**
 * Stores which application each proxy or reactor named before these records. Running code acts as the application of its
 * version, and the vault does not take the runner's word for it. The stored text is true whether or not the publication
 * succeeds: the record in Redis names that application now.
 */
export async function keepFormerApplications(
  redis: Redis,
  names: RedisNames,
  keys: PublicationKeys,
  records: readonly NamedRecord[],
): Promise<void> {
  const owners = records.filter((record) => applicationNamedBy(record.value) !== undefined);
  if (owners.length === 0) return;
  const recordKeys = owners.map(({ name }) => names.record(name));
  const published = await redisCommand(() => getValues(redis, recordKeys));
  for (const [position, { name, value }] of owners.entries()) {
    const former = await applicationIn(keys.public, recordKeys[position]!, published[position]);
    if (former === '' || former === applicationNamedBy(value)) continue;
    const key = names.formerApplication(name, former);
    const endsAt = String(Date.now() + longestRunMs);
    const text = await signText(keys.signing, 'former application', key, endsAt);
    await redisCommand(() => redis.set(key, text, 'PX', longestRunMs));
  }
}
