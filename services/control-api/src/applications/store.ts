import type { ApplicationType } from '@glovebox/access/permission';
import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { type Page, offsetOf } from '../http/page.ts';
import { type ApplicationRow, type WholeApplication, applicationFields } from './fields.ts';
import { insertKey, keysAsJson } from './key-store.ts';
import type { KeyRow } from './key.ts';

const table = tableOf('applications', 'application', applicationFields);
export const { replace: replaceApplication, remove: removeApplication } = table;
const columns = columnsOf(applicationFields);

const whole = `SELECT ${columns}, ${keysAsJson} AS keys FROM applications a`;

export interface ApplicationFilter {
  /** Empty: any. */
  readonly ids: readonly string[];
  /** Empty: any. */
  readonly types: readonly ApplicationType[];
}

/** Undefined also if its type cannot act for a proxy or a reactor. */
export async function findAttachableApplication(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<WholeApplication | undefined> {
  const rows = await db.query<WholeApplication>(
    'find-attachable-application',
    `${whole} WHERE id = $1 AND tenant_id = $2 AND type IN ('private', 'public')`,
    [id, tenantId],
  );
  return rows[0];
}

export async function findApplication(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<WholeApplication> {
  const rows = await db.query<WholeApplication>(
    'find-application',
    `${whole} WHERE id = $1 AND tenant_id = $2`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function listApplications(
  db: Queryable,
  tenantId: string,
  filter: ApplicationFilter,
  page: Page,
): Promise<{ total: number; rows: WholeApplication[] }> {
  const matches = `tenant_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2)) AND ($3::text[] IS NULL OR type = ANY($3))`;
  const anyOf = (values: readonly string[]) => (values.length === 0 ? null : values);
  const values = [tenantId, anyOf(filter.ids), anyOf(filter.types)];
  const counted = await db.query<{ total: string }>(
    'count-applications',
    `SELECT count(*) AS total FROM applications WHERE ${matches}`,
    values,
  );
  const rows = await db.query<WholeApplication>(
    'list-applications',
    `${whole} WHERE ${matches} ORDER BY created_at DESC, id LIMIT $4 OFFSET $5`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows };
}

/** Locks the row until the transaction ends. */
export async function lockApplication(tx: Queryable, tenantId: string, id: string): Promise<ApplicationRow> {
  const rows = await tx.query<ApplicationRow>(
    'lock-application',
    `SELECT ${columns} FROM applications WHERE id = $1 AND tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

/** Locks an application against changes until the transaction ends; undefined if it was deleted. */
export async function holdApplication(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<ApplicationRow | undefined> {
  const rows = await tx.query<ApplicationRow>(
    'hold-application',
    `SELECT ${columns} FROM applications WHERE id = $1 AND tenant_id = $2 FOR SHARE`,
    [id, tenantId],
  );
  return rows[0];
}

export async function insertApplication(
  tx: Queryable,
  row: ApplicationRow,
  keys: readonly KeyRow[],
): Promise<void> {
  await table.insert(tx, row);
  for (const key of keys) await insertKey(tx, row, key);
}

function missing(): never {
  throw new AppError('not_found', 'There is no such application.');
}
