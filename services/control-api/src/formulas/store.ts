import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type Page, likePattern, offsetOf } from '../http/page.ts';
import type { FormulaRow } from './formula.ts';

const columns = `id, tenant_id, name, description, icon, code, configuration, request_parameters, inline, created_by,
  created_at, modified_by, modified_at`;

export async function findFormula(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<FormulaRow | undefined> {
  const rows = await db.query<FormulaRow>(
    'find-formula',
    `SELECT ${columns} FROM reactor_formulas WHERE id = $1 AND tenant_id = $2 AND NOT inline`,
    [id, tenantId],
  );
  return rows[0];
}

export async function listFormulas(
  db: Queryable,
  tenantId: string,
  name: string | undefined,
  page: Page,
): Promise<{ total: number; rows: FormulaRow[] }> {
  const matches = 'tenant_id = $1 AND NOT inline AND ($2::text IS NULL OR name ILIKE $2)';
  const values = [tenantId, name === undefined ? null : likePattern(name)];
  const counted = await db.query<{ total: string }>(
    'count-formulas',
    `SELECT count(*) AS total FROM reactor_formulas WHERE ${matches}`,
    values,
  );
  const rows = await db.query<FormulaRow>(
    'list-formulas',
    `SELECT ${columns} FROM reactor_formulas WHERE ${matches} ORDER BY created_at DESC, id LIMIT $3 OFFSET $4`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows };
}

/** Keeps a formula, be it a reactor's own, as it is until the transaction ends. */
export async function shareFormula(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<FormulaRow | undefined> {
  const rows = await tx.query<FormulaRow>(
    'share-formula',
    `SELECT ${columns} FROM reactor_formulas WHERE id = $1 AND tenant_id = $2 FOR SHARE`,
    [id, tenantId],
  );
  return rows[0];
}

/** Holds the row until the transaction ends, so that no reactor of it is created or updated meanwhile. */
export async function lockFormula(tx: Queryable, tenantId: string, id: string): Promise<FormulaRow> {
  const rows = await tx.query<FormulaRow>(
    'lock-formula',
    `SELECT ${columns} FROM reactor_formulas WHERE id = $1 AND tenant_id = $2 AND NOT inline FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0] ?? missingFormula();
}

/** The same of a reactor's own. */
export async function lockOwnFormula(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<FormulaRow | undefined> {
  const rows = await tx.query<FormulaRow>(
    'lock-own-formula',
    `SELECT ${columns} FROM reactor_formulas WHERE id = $1 AND tenant_id = $2 AND inline FOR UPDATE`,
    [id, tenantId],
  );
  return rows[0];
}

export async function insertFormula(tx: Queryable, row: FormulaRow): Promise<void> {
  await tx.query(
    'insert-formula',
    `INSERT INTO reactor_formulas (id, name, description, icon, code, configuration, request_parameters, modified_by,
       modified_at, tenant_id, inline, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...changingValues(row), row.tenant_id, row.inline, row.created_by, row.created_at],
  );
}

export async function replaceFormula(tx: Queryable, row: FormulaRow): Promise<void> {
  await tx.query(
    'replace-formula',
    `UPDATE reactor_formulas
        SET name = $2, description = $3, icon = $4, code = $5, configuration = $6, request_parameters = $7,
            modified_by = $8, modified_at = $9
      WHERE id = $1`,
    changingValues(row),
  );
}

export async function removeFormula(tx: Queryable, id: string): Promise<void> {
  await tx.query('remove-formula', 'DELETE FROM reactor_formulas WHERE id = $1', [id]);
}

/** The id, and what an update may change. */
function changingValues(row: FormulaRow): unknown[] {
  return [
    row.id,
    row.name,
    row.description,
    row.icon,
    row.code,
    JSON.stringify(row.configuration),
    JSON.stringify(row.request_parameters),
    row.modified_by,
    row.modified_at,
  ];
}

export function missingFormula(): never {
  throw new AppError('not_found', 'There is no such reactor formula.');
}
