import type { Queryable } from '@glovebox/platform/db/postgres';

import type { FormulaRow } from '../formulas/formula.ts';
import { publishInPages } from '../publication/record-pages.ts';
import type { RecordPages } from '../publication/record.ts';
import { type PublishedColumns, publishedReactor } from './published.ts';

/** All reactors of a formula that has changed, as changed with it. */
export function republishReactors(tx: Queryable, formula: FormulaRow): RecordPages {
  return publishInPages(
    (after, limit) =>
      tx.query<PublishedColumns>(
        'raise-versions-of-reactors',
        `WITH page AS (
           SELECT id FROM reactors WHERE formula_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE
         ), raised AS (
           UPDATE reactors r SET version = r.version + 1 FROM page WHERE r.id = page.id
           RETURNING r.id, r.tenant_id, r.formula_id, r.name, r.sealed_configuration, r.application_id, r.version
         )
         SELECT * FROM raised ORDER BY id`,
        [formula.id, after, limit],
      ),
    (row) => [publishedReactor(row, formula)],
  );
}
