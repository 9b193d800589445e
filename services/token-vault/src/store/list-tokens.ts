import type { Queryable } from '@glovebox/platform/db/postgres';

import { isIntent } from '../values/token-intent-id.ts';
import { Parameters, type TokenFilter, conditionOf } from './token-filter.ts';
import type { StoredHead } from './token-row.ts';
import { headColumns } from './token-rows.ts';

/** `container`: by container, then newest first. */
export type TokenOrder = 'newest' | 'container';

export interface Position {
  readonly container: string;
  readonly createdAt: Date;
  readonly id: string;
}

export interface Selection {
  readonly tenantId: string;
  readonly filter: TokenFilter;
  /** Tokens that have expired by then are excluded. */
  readonly now: Date;
}

export async function selectPage(
  db: Queryable,
  selection: Selection,
  order: TokenOrder,
  from: { readonly offset: number } | { readonly after: Position | undefined },
  count: number,
): Promise<StoredHead[]> {
  const { where, parameters } = whereOf(selection);
  const after = 'after' in from ? from.after : undefined;
  const parts = after === undefined ? ['true'] : partsAfter(after, order, parameters);
  const limit = parameters.add(count, 'bigint');
  const offset = parameters.add('offset' in from ? from.offset : 0, 'bigint');
  const by = orders[order];
  const pages = parts.map(
    (part) =>
      `(SELECT tenant_id, id FROM searchable_token AS token WHERE ${where} AND ${part} ORDER BY ${by} LIMIT ${limit} OFFSET ${offset})`,
  );
  // Skipped rows are not read whole: their ids come from an index.
  return db.queryOnce<StoredHead>(
    'tokens-page',
    `SELECT ${headColumns}
       FROM (${pages.join(' UNION ALL ')}) AS page JOIN token USING (tenant_id, id)
      ORDER BY ${by} LIMIT ${limit}`,
    parameters.values,
  );
}

/** Counts tokens, up to `limit`. */
export async function countUpTo(db: Queryable, selection: Selection, limit: number): Promise<number> {
  const { where, parameters } = whereOf(selection);
  const rows = await db.queryOnce<{ total: number }>(
    'tokens-count',
    `SELECT count(*)::integer AS total
       FROM (SELECT 1 FROM searchable_token AS token WHERE ${where} LIMIT ${parameters.add(limit, 'bigint')}) AS counted`,
    parameters.values,
  );
  return rows[0]?.total ?? 0;
}

const orders: Readonly<Record<TokenOrder, string>> = {
  newest: 'created_at DESC, id',
  container: 'container, created_at DESC, id',
};

function whereOf({ tenantId, filter, now }: Selection): { where: string; parameters: Parameters } {
  const parameters = new Parameters(tenantId);
  const conditions = [
    `tenant_id = ${parameters.tenantId}`,
    `NOT ${isIntent}`,
    `(expires_at IS NULL OR expires_at > ${parameters.add(now, 'timestamptz')})`,
    conditionOf(filter, parameters),
  ];
  return { where: conditions.join(' AND '), parameters };
}

/** The conditions for what follows a position. For each of them, an index on the order can start at its first row. */
function partsAfter(
  { container, createdAt, id }: Position,
  order: TokenOrder,
  parameters: Parameters,
): readonly string[] {
  const [at, after] = [parameters.add(createdAt, 'timestamptz'), parameters.add(id, 'text')];
  const older = `created_at <= ${at} AND (created_at < ${at} OR id > ${after})`;
  if (order === 'newest') return [older];
  const here = parameters.add(container, 'text');
  return [`container = ${here} AND ${older}`, `container > ${here}`];
}
