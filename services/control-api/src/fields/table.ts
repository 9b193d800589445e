import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Fields, RowOf } from './column.ts';

/** The statements that follow from a table's columns. Names of columns come from nowhere else. */
export interface Table<F extends Fields> {
  readonly insert: (tx: Queryable, row: RowOf<F>) => Promise<void>;
  /** Sets every column that is not fixed, by the id. */
  readonly replace: (tx: Queryable, row: RowOf<F>) => Promise<void>;
  readonly remove: (tx: Queryable, id: string) => Promise<void>;
}

/** The columns for a SELECT or a RETURNING. @param alias of the table there */
export function columnsOf(fields: Fields, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return Object.keys(fields)
    .map((column) => prefix + column)
    .join(', ');
}

/** @param one what a row is, for the names of the statements */
export function tableOf<F extends Fields>(name: string, one: string, fields: F): Table<F> {
  const all = Object.entries(fields);
  const inserted = all.map(([column]) => column);
  const replaced = ['id', ...all.filter(([, { fixed }]) => fixed === undefined).map(([column]) => column)];
  const parameters = inserted.map((_, index) => `$${index + 1}`).join(', ');
  const assignments = replaced.slice(1).map((column, index) => `${column} = $${index + 2}`);
  const insertText = `INSERT INTO ${name} (${inserted.join(', ')}) VALUES (${parameters})`;
  const replaceText = `UPDATE ${name} SET ${assignments.join(', ')} WHERE id = $1`;
  const valuesOf = (row: RowOf<F>, columns: readonly string[]) =>
    columns.map((column) => {
      const value: unknown = row[column];
      return fields[column]?.json === undefined || value === null ? value : JSON.stringify(value);
    });
  return {
    async insert(tx, row) {
      await tx.query(`insert-${one}`, insertText, valuesOf(row, inserted));
    },
    async replace(tx, row) {
      await tx.query(`replace-${one}`, replaceText, valuesOf(row, replaced));
    },
    async remove(tx, id) {
      await tx.query(`remove-${one}`, `DELETE FROM ${name} WHERE id = $1`, [id]);
    },
  };
}
