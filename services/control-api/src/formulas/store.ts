import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { type Page, likePattern, offsetOf } from '../http/page.ts';
import { type FormulaRow, formulaFields } from './fields.ts';

export const {
  insert: insertFormula,
  replace: replaceFormula,
  remove: removeFormula,
} = tableOf('reactor_formulas', 'formula', formulaFields);

const columns = columnsOf(formulaFields);

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

/** Locks a formula, also a reactor's own, against changes until the transaction ends. */
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

/** Locks the row until the transaction ends, so that no reactor of it is created or updated meanwhile. */
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

export function missingFormula(): never {
  throw new AppError('not_found', 'There is no such reactor formula.');
}

/** What a formula declares of the configuration. */
export async function declaredBy(db: Queryable, id: string): Promise<FormulaRow['configuration']> {
  const rows = await db.query<Pick<FormulaRow, 'configuration'>>(
    'declared-by-formula',
    'SELECT configuration FROM reactor_formulas WHERE id = $1',
    [id],
  );
  return rows[0]?.configuration ?? [];
}
