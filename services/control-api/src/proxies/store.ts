import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type Page, likePattern, offsetOf } from '../http/page.ts';
import type { ProxyRow } from './proxy.ts';

const columns = `p.id, p.tenant_id, p.name, p.key_hash, p.sealed_key, p.destination_url, p.request_transform_code,
  p.response_transform_code, p.sealed_configuration, p.application_id, p.require_auth, p.disable_detokenization,
  p.timeout_seconds, p.request_steps, p.response_steps, p.version, p.created_by, p.created_at, p.modified_by, p.modified_at`;

/** For answers: an application that was deleted since is none. */
const shownColumns = columns.replace('p.application_id', 'a.id AS application_id');
const shownFrom = 'proxies p LEFT JOIN applications a ON a.id = p.application_id';

export interface ProxyFilter {
  /** Empty: any. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
}

export async function findProxy(db: Queryable, tenantId: string, id: string): Promise<ProxyRow> {
  const rows = await db.query<ProxyRow>(
    'find-proxy',
    `SELECT ${shownColumns} FROM ${shownFrom} WHERE p.id = $1 AND p.tenant_id = $2`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function listProxies(
  db: Queryable,
  tenantId: string,
  filter: ProxyFilter,
  page: Page,
): Promise<{ total: number; rows: ProxyRow[] }> {
  const matches = `p.tenant_id = $1 AND ($2::uuid[] IS NULL OR p.id = ANY($2)) AND ($3::text IS NULL OR p.name ILIKE $3)`;
  const values = [
    tenantId,
    filter.ids.length === 0 ? null : filter.ids,
    filter.name === undefined ? null : likePattern(filter.name),
  ];
  const counted = await db.query<{ total: string }>(
    'count-proxies',
    `SELECT count(*) AS total FROM proxies p WHERE ${matches}`,
    values,
  );
  const rows = await db.query<ProxyRow>(
    'list-proxies',
    `SELECT ${shownColumns} FROM ${shownFrom} WHERE ${matches} ORDER BY p.created_at DESC, p.id LIMIT $4 OFFSET $5`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows };
}

/** Holds the row until the transaction ends. */
export async function lockProxy(tx: Queryable, tenantId: string, id: string): Promise<ProxyRow> {
  const rows = await tx.query<ProxyRow>(
    'lock-proxy',
    `SELECT ${columns} FROM proxies p WHERE p.id = $1 AND p.tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function insertProxy(tx: Queryable, row: ProxyRow): Promise<void> {
  await tx.query(
    'insert-proxy',
    `INSERT INTO proxies (id, name, destination_url, request_transform_code, response_transform_code,
       sealed_configuration, application_id, require_auth, version, modified_by, modified_at, disable_detokenization,
       timeout_seconds, request_steps, response_steps, tenant_id, key_hash, sealed_key, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [...changingValues(row), row.tenant_id, row.key_hash, row.sealed_key, row.created_by, row.created_at],
  );
}

/** Key, creator and time of creation stay for ever. */
export async function replaceProxy(tx: Queryable, row: ProxyRow): Promise<void> {
  await tx.query(
    'replace-proxy',
    `UPDATE proxies
        SET name = $2, destination_url = $3, request_transform_code = $4, response_transform_code = $5,
            sealed_configuration = $6, application_id = $7, require_auth = $8, version = $9, modified_by = $10,
            modified_at = $11, disable_detokenization = $12, timeout_seconds = $13, request_steps = $14,
            response_steps = $15
      WHERE id = $1`,
    changingValues(row),
  );
}

export async function removeProxy(tx: Queryable, id: string): Promise<void> {
  await tx.query('remove-proxy', 'DELETE FROM proxies WHERE id = $1', [id]);
}

/** The id, and what an update may change. */
function changingValues(row: ProxyRow): unknown[] {
  return [
    row.id,
    row.name,
    row.destination_url,
    row.request_transform_code,
    row.response_transform_code,
    jsonOf(row.sealed_configuration),
    row.application_id,
    row.require_auth,
    row.version,
    row.modified_by,
    row.modified_at,
    row.disable_detokenization,
    row.timeout_seconds,
    jsonOf(row.request_steps),
    jsonOf(row.response_steps),
  ];
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function missing(): never {
  throw new AppError('not_found', 'There is no such proxy.');
}
