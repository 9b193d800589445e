import type { Queryable } from '@glovebox/platform/db/postgres';

import type { ApplicationRow } from './fields.ts';

/** Unexpired applications that an application has created. */
export async function countMade(tx: Queryable, creatorId: string): Promise<number> {
  const rows = await tx.query<{ total: string }>(
    'count-made',
    'SELECT count(*) AS total FROM applications WHERE created_by = $1 AND expires_at > $2',
    [creatorId, new Date()],
  );
  return Number(rows[0]?.total ?? 0);
}

/** Expires every application that an application has created. @returns them, with the hashes of their keys */
export async function endMade(
  tx: Queryable,
  creatorId: string,
): Promise<readonly (Pick<ApplicationRow, 'id' | 'version'> & { readonly key_hashes: readonly string[] })[]> {
  return tx.query(
    'end-made',
    `UPDATE applications a SET expires_at = $2, version = version + 1
      WHERE created_by = $1 AND expires_at > $2
      RETURNING id, version,
                ARRAY(SELECT k.key_hash FROM application_keys k WHERE (k.tenant_id, k.application_id) = (a.tenant_id, a.id)) AS key_hashes`,
    [creatorId, new Date()],
  );
}

/** Some expired applications, of any tenant. */
export async function findOver(
  db: Queryable,
  limit: number,
): Promise<readonly Pick<ApplicationRow, 'id' | 'tenant_id'>[]> {
  return db.query(
    'find-over',
    'SELECT id, tenant_id FROM applications WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2',
    [new Date(), limit],
  );
}
