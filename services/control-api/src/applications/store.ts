import type { ApplicationType } from '@glovebox/access/permission';
import { AppError } from '@glovebox/platform/errors';
import type { Queryable } from '@glovebox/platform/postgres';

import { type Page, offsetOf } from '../http/page.ts';
import type { ApplicationRow } from './application.ts';

const columns = `id, tenant_id, name, type, permissions, rules, version, created_by, created_at, modified_by, modified_at`;

export interface ApplicationFilter {
  /** Empty: any. */
  readonly ids: readonly string[];
  /** Empty: any. */
  readonly types: readonly ApplicationType[];
}

/** Undefined also where it is of a type that cannot act for a proxy or a reactor. */
export async function findAttachableApplication(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ApplicationRow | undefined> {
  const rows = await db.query<ApplicationRow>(
    'find-attachable-application',
    `SELECT ${columns} FROM applications WHERE id = $1 AND tenant_id = $2 AND type IN ('private', 'public')`,
    [id, tenantId],
  );
  return rows[0];
}

export async function findApplication(db: Queryable, tenantId: string, id: string): Promise<ApplicationRow> {
  const rows = await db.query<ApplicationRow>(
    'find-application',
    `SELECT ${columns} FROM applications WHERE id = $1 AND tenant_id = $2`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function listApplications(
  db: Queryable,
  tenantId: string,
  filter: ApplicationFilter,
  page: Page,
): Promise<{ total: number; rows: ApplicationRow[] }> {
  const matches = `tenant_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2)) AND ($3::text[] IS NULL OR type = ANY($3))`;
  const anyOf = (values: readonly string[]) => (values.length === 0 ? null : values);
  const values = [tenantId, anyOf(filter.ids), anyOf(filter.types)];
  const counted = await db.query<{ total: string }>(
    'count-applications',
    `SELECT count(*) AS total FROM applications WHERE ${matches}`,
    values,
  );
  const rows = await db.query<ApplicationRow>(
    'list-applications',
    `SELECT ${columns} FROM applications WHERE ${matches} ORDER BY created_at DESC, id LIMIT $4 OFFSET $5`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows };
}

/** Holds the row until the transaction ends. */
export async function lockApplication(tx: Queryable, tenantId: string, id: string): Promise<ApplicationRow> {
  const rows = await tx.query<ApplicationRow>(
    'lock-application',
    `SELECT ${columns} FROM applications WHERE id = $1 AND tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function insertApplication(tx: Queryable, row: ApplicationRow, keyHash: string): Promise<void> {
  await tx.query(
    'insert-application',
    `INSERT INTO applications (id, tenant_id, name, type, permissions, rules, version, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.tenant_id,
      row.name,
      row.type,
      row.permissions,
      JSON.stringify(row.rules),
      row.version,
      row.created_by,
      row.created_at,
    ],
  );
  await insertKey(tx, row.id, keyHash, row.created_at);
}

export async function replaceApplication(tx: Queryable, row: ApplicationRow): Promise<void> {
  await tx.query(
    'replace-application',
    `UPDATE applications
        SET name = $2, permissions = $3, rules = $4, version = $5, modified_by = $6, modified_at = $7
      WHERE id = $1`,
    [
      row.id,
      row.name,
      row.permissions,
      JSON.stringify(row.rules),
      row.version,
      row.modified_by,
      row.modified_at,
    ],
  );
}

export async function removeApplication(tx: Queryable, id: string): Promise<void> {
  await tx.query('remove-application', 'DELETE FROM applications WHERE id = $1', [id]);
}

export async function readKeyHashes(tx: Queryable, applicationId: string): Promise<string[]> {
  const rows = await tx.query<{ key_hash: string }>(
    'read-key-hashes',
    'SELECT key_hash FROM application_keys WHERE application_id = $1',
    [applicationId],
  );
  return rows.map((row) => row.key_hash);
}

/** @returns the hashes of the keys that are no more. */
export async function replaceKeys(
  tx: Queryable,
  applicationId: string,
  keyHash: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ key_hash: string }>(
    'remove-keys',
    'DELETE FROM application_keys WHERE application_id = $1 RETURNING key_hash',
    [applicationId],
  );
  await insertKey(tx, applicationId, keyHash, now);
  return rows.map((row) => row.key_hash);
}

async function insertKey(tx: Queryable, applicationId: string, keyHash: string, now: Date): Promise<void> {
  await tx.query(
    'insert-key',
    'INSERT INTO application_keys (key_hash, application_id, created_at) VALUES ($1, $2, $3)',
    [keyHash, applicationId, now],
  );
}

function missing(): never {
  throw new AppError('not_found', 'There is no such application.');
}
