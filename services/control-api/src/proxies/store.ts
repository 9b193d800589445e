import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { type Page, likePattern, offsetOf } from '../http/page.ts';
import { type ProxyRow, proxyFields } from './fields.ts';

export const {
  insert: insertProxy,
  replace: replaceProxy,
  remove: removeProxy,
} = tableOf('proxies', 'proxy', proxyFields);

const columns = columnsOf(proxyFields, 'p');
/** For answers: a deleted application is left out. */
const shownColumns = columns.replace('p.application_id', 'a.id AS application_id');
const shownFrom =
  'proxies p LEFT JOIN applications a ON (a.tenant_id, a.id) = (p.tenant_id, p.application_id)';

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

/** Locks the row until the transaction ends. */
export async function lockProxy(tx: Queryable, tenantId: string, id: string): Promise<ProxyRow> {
  const rows = await tx.query<ProxyRow>(
    'lock-proxy',
    `SELECT ${columns} FROM proxies p WHERE p.id = $1 AND p.tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

/** The next ones of all tenants, by id. */
export function pageOfProxies(db: Queryable, after: string, limit: number): Promise<ProxyRow[]> {
  return db.query<ProxyRow>(
    'page-of-proxies-to-reseal',
    `SELECT ${columns} FROM proxies p WHERE p.id > $1 ORDER BY p.id LIMIT $2`,
    [after, limit],
  );
}

/** Stores values that are sealed anew; it is no change of the proxy. */
export async function replaceSealedProxy(tx: Queryable, row: ProxyRow): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await tx.query(
    'reseal-proxy',
    'UPDATE proxies SET sealed_key = $2, sealed_configuration = $3, destination_tls = $4 WHERE id = $1',
    [row.id, row.sealed_key, json(row.sealed_configuration), json(row.destination_tls)],
  );
}

function missing(): never {
  throw new AppError('not_found', 'There is no such proxy.');
}
