import type { Queryable } from '@glovebox/platform/db/postgres';

import { endMade } from '../../applications/expiring-store.ts';
import { readKeys } from '../../applications/key-store.ts';
import { applicationEvent } from '../../applications/published.ts';
import { applicationTombstones } from '../../applications/published.ts';
import { lockApplication, removeApplication } from '../../applications/store.ts';
import type { ChangeEffects } from '../../publication/changes.ts';

/**
 * Deletes an application and its keys, and expires the applications that it has created.
 * @throws AppError `not_found`
 */
export async function withdrawApplication(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<ChangeEffects> {
  const row = await lockApplication(tx, tenantId, id);
  const keys = await readKeys(tx, id);
  const made = await endMade(tx, id);
  await removeApplication(tx, id);
  const hashes = keys.map((key) => key.key_hash);
  return {
    records: [
      ...applicationTombstones(id, hashes, String(BigInt(row.version) + 1n)),
      ...made.flatMap((one) => applicationTombstones(one.id, one.key_hashes, one.version)),
    ],
    events: [applicationEvent('deleted', row)],
  };
}
