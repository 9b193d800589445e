import type { Queryable } from '@glovebox/platform/postgres';

import type { NamedRecord } from '../outbox/record.ts';
import { applicationTombstones } from './published.ts';
import { lockApplication, readKeyHashes, removeApplication } from './store.ts';

/** Removes an application with all its keys; gives the records that say so. @throws AppError `not_found` */
export async function withdrawApplication(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<NamedRecord[]> {
  const row = await lockApplication(tx, tenantId, id);
  const keyHashes = await readKeyHashes(tx, id);
  await removeApplication(tx, id);
  return applicationTombstones(id, keyHashes, String(BigInt(row.version) + 1n));
}
