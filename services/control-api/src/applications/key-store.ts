import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { KeyRow } from './key.ts';

const columns = 'k.id, k.key_hash, k.created_by, k.created_at';
const order = 'k.created_at, k.id';

/** The keys of the application `a` as JSON, without their hashes. */
export const keysAsJson = `(
  SELECT coalesce(
           jsonb_agg(
             jsonb_build_object('id', k.id, 'created_by', k.created_by, 'created_at', k.created_at)
             ORDER BY ${order}),
           '[]')
    FROM application_keys k WHERE (k.tenant_id, k.application_id) = (a.tenant_id, a.id))`;

/** The oldest first. */
export async function readKeys(db: Queryable, applicationId: string): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    'read-keys',
    `SELECT ${columns} FROM application_keys k WHERE k.application_id = $1 ORDER BY ${order}`,
    [applicationId],
  );
}

/** @throws AppError `not_found` */
export async function findKey(
  db: Queryable,
  tenantId: string,
  applicationId: string,
  id: string,
): Promise<KeyRow> {
  const rows = await db.query<KeyRow>(
    'find-key',
    `SELECT ${columns} FROM application_keys k WHERE k.id = $1 AND k.application_id = $2 AND k.tenant_id = $3`,
    [id, applicationId, tenantId],
  );
  return rows[0] ?? missingKey();
}

export async function insertKey(
  tx: Queryable,
  application: { readonly id: string; readonly tenant_id: string },
  key: KeyRow,
): Promise<void> {
  await tx.query(
    'insert-key',
    `INSERT INTO application_keys (tenant_id, id, key_hash, application_id, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [application.tenant_id, key.id, key.key_hash, application.id, key.created_by, key.created_at],
  );
}

export async function removeKeys(tx: Queryable, keys: readonly KeyRow[]): Promise<void> {
  await tx.query('remove-keys', 'DELETE FROM application_keys WHERE id = ANY($1)', [
    keys.map(({ id }) => id),
  ]);
}

export function missingKey(): never {
  throw new AppError('not_found', 'There is no such key.');
}
