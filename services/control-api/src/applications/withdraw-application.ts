import type { Queryable } from '@glovebox/platform/postgres';

import type { NamedRecord } from '../outbox/record.ts';
import { readKeys } from './key-store.ts';
import { applicationTombstones } from './published.ts';
import { lockApplication, removeApplication } from './store.ts';

/** Removes an application with all its keys; gives the records that say so. @throws AppError `not_found` */
export async function withdrawApplication(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<NamedRecord[]> {
  const row = await lockApplication(tx, tenantId, id);
  const keys = await readKeys(tx, id);
  await removeApplication(tx, id);
  const hashes = keys.map((key) => key.key_hash);
  return applicationTombstones(id, hashes, String(BigInt(row.version) + 1n));
}
