import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { WholeApplication } from '../applications/application.ts';
import { keysAsJson } from '../applications/key-store.ts';
import type { FormulaRow } from '../formulas/formula.ts';
import { type Page, likePattern, offsetOf } from '../http/page.ts';
import type { ReactorRow, WholeReactor } from './reactor.ts';

const columns = `r.id, r.tenant_id, r.formula_id, r.name, r.sealed_configuration, r.application_id, r.version, r.created_by,
  r.created_at, r.modified_by, r.modified_at`;

const whole = `SELECT ${columns}, to_jsonb(f) AS formula,
    to_jsonb(a) || jsonb_build_object('keys', ${keysAsJson}) AS application
  FROM reactors r JOIN reactor_formulas f ON f.id = r.formula_id LEFT JOIN applications a ON a.id = r.application_id`;

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

/** Holds the row until the transaction ends. */
export async function lockReactor(tx: Queryable, tenantId: string, id: string): Promise<ReactorRow> {
  const rows = await tx.query<ReactorRow>(
    'lock-reactor',
    `SELECT ${columns} FROM reactors r WHERE r.id = $1 AND r.tenant_id = $2 FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missingReactor();
}

export async function insertReactor(tx: Queryable, row: ReactorRow): Promise<void> {
  await tx.query(
    'insert-reactor',
    `INSERT INTO reactors (id, name, sealed_configuration, application_id, version, modified_by, modified_at, tenant_id,
       formula_id, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [...changingValues(row), row.tenant_id, row.formula_id, row.created_by, row.created_at],
  );
}

/** Formula, creator and time of creation stay for ever. */
export async function replaceReactor(tx: Queryable, row: ReactorRow): Promise<void> {
  await tx.query(
    'replace-reactor',
    `UPDATE reactors
        SET name = $2, sealed_configuration = $3, application_id = $4, version = $5, modified_by = $6, modified_at = $7
      WHERE id = $1`,
    changingValues(row),
  );
}

export async function removeReactor(tx: Queryable, id: string): Promise<void> {
  await tx.query('remove-reactor', 'DELETE FROM reactors WHERE id = $1', [id]);
}

/** The id, and what an update may change. */
function changingValues(row: ReactorRow): unknown[] {
  return [
    row.id,
    row.name,
    JSON.stringify(row.sealed_configuration),
    row.application_id,
    row.version,
    row.modified_by,
    row.modified_at,
  ];
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
