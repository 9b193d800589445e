import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { WholeApplication } from '../applications/fields.ts';
import { keysAsJson } from '../applications/key-store.ts';
import { columnsOf, tableOf } from '../fields/table.ts';
import type { FormulaRow } from '../formulas/fields.ts';
import { type Page, likePattern, offsetOf } from '../http/page.ts';
import { type ReactorRow, type WholeReactor, reactorFields } from './fields.ts';

export const {
  insert: insertReactor,
  replace: replaceReactor,
  remove: removeReactor,
} = tableOf('reactors', 'reactor', reactorFields);

const columns = columnsOf(reactorFields, 'r');

const whole = `SELECT ${columns}, to_jsonb(f) AS formula,
    to_jsonb(a) || jsonb_build_object('keys', ${keysAsJson}) AS application
  FROM reactors r JOIN reactor_formulas f ON (f.tenant_id, f.id) = (r.tenant_id, r.formula_id)
  LEFT JOIN applications a ON (a.tenant_id, a.id) = (r.tenant_id, r.application_id)`;

type WholeRow = ReactorRow & {
  readonly formula: InJson<FormulaRow>;
  readonly application: InJson<WholeApplication> | null;
};

export interface ReactorFilter {
  /** Empty: any. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
}

export async function findReactor(db: Queryable, tenantId: string, id: string): Promise<WholeReactor> {
  const rows = await db.query<WholeRow>('find-reactor', `${whole} WHERE r.id = $1 AND r.tenant_id = $2`, [
    id,
    tenantId,
  ]);
  return rows[0] === undefined ? missingReactor() : fromJson(rows[0]);
}

export async function listReactors(
  db: Queryable,
  tenantId: string,
  filter: ReactorFilter,
  page: Page,
): Promise<{ total: number; rows: WholeReactor[] }> {
  const matches = `r.tenant_id = $1 AND ($2::uuid[] IS NULL OR r.id = ANY($2)) AND ($3::text IS NULL OR r.name ILIKE $3)`;
  const values = [
    tenantId,
    filter.ids.length === 0 ? null : filter.ids,
    filter.name === undefined ? null : likePattern(filter.name),
  ];
  const counted = await db.query<{ total: string }>(
    'count-reactors',
    `SELECT count(*) AS total FROM reactors r WHERE ${matches}`,
    values,
  );
  const rows = await db.query<WholeRow>(
    'list-reactors',
    `${whole} WHERE ${matches} ORDER BY r.created_at DESC, r.id LIMIT $4 OFFSET $5`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows: rows.map(fromJson) };
}

export async function countReactorsOf(db: Queryable, formulaId: string): Promise<number> {
  const rows = await db.query<{ total: string }>(
    'count-reactors-of-formula',
    'SELECT count(*) AS total FROM reactors WHERE formula_id = $1',
    [formulaId],
  );
  return Number(rows[0]?.total ?? 0);
}

/** Locks the row until the transaction ends. */
export async function lockReactor(tx: Queryable, tenantId: string, id: string): Promise<ReactorRow> {
  const rows = await tx.query<ReactorRow>(
    'lock-reactor',
    `SELECT ${columns} FROM reactors r WHERE r.id = $1 AND r.tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missingReactor();
}

/** The next ones of all tenants, by id. */
export function pageOfReactors(db: Queryable, after: string, limit: number): Promise<ReactorRow[]> {
  return db.query<ReactorRow>(
    'page-of-reactors-to-reseal',
    `SELECT ${columns} FROM reactors r WHERE r.id > $1 ORDER BY r.id LIMIT $2`,
    [after, limit],
  );
}

/** Stores values that are sealed anew; it is no change of the reactor. */
export async function replaceSealedReactor(tx: Queryable, row: ReactorRow): Promise<void> {
  await tx.query('reseal-reactor', 'UPDATE reactors SET sealed_configuration = $2 WHERE id = $1', [
    row.id,
    JSON.stringify(row.sealed_configuration),
  ]);
}

/** A row as to_jsonb gives it. */
type InJson<Row> = {
  readonly [Name in keyof Row]: Name extends 'created_at' | 'modified_at' ? string : Row[Name];
};

function fromJson({ formula, application, ...row }: WholeRow): WholeReactor {
  return {
    ...row,
    formula: { ...formula, ...datesOf(formula) },
    application: application === null ? undefined : { ...application, ...datesOf(application) },
  };
}

function datesOf(row: { readonly created_at: string; readonly modified_at: string | null }) {
  return {
    created_at: new Date(row.created_at),
    modified_at: row.modified_at === null ? null : new Date(row.modified_at),
  };
}

export function missingReactor(): never {
  throw new AppError('not_found', 'There is no such reactor.');
}
