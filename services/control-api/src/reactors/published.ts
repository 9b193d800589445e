import type { Queryable } from '@glovebox/platform/db/postgres';
import { reactorRecord } from '@glovebox/published/keys';

import type { FormulaRow } from '../formulas/formula.ts';
import { publishInPages } from '../publication/record-pages.ts';
import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../publication/record.ts';
import { publishedSettings } from '../secrets/configuration.ts';
import type { ReactorRow } from './reactor.ts';

export type PublishedColumns = Pick<
  ReactorRow,
  'id' | 'tenant_id' | 'formula_id' | 'name' | 'sealed_configuration' | 'application_id' | 'version'
>;

type PublishedFormula = Pick<FormulaRow, 'code' | 'configuration' | 'request_parameters'>;

/** What the data plane is told of a reactor. */
export function publishedReactor(row: PublishedColumns, formula: PublishedFormula): NamedRecord {
  return namedRecord(reactorRecord(row.id), Number(row.version), {
    $case: 'reactor',
    value: {
      id: row.id,
      tenantId: row.tenant_id,
      name: row.name,
      applicationId: row.application_id ?? '',
      formulaId: row.formula_id,
      code: formula.code,
      declaredConfiguration: formula.configuration.map(({ name, type }) => ({ name, type })),
      requestParameters: formula.request_parameters.map(({ name, type, optional }) => ({
        name,
        type,
        optional,
      })),
      sealedConfiguration: publishedSettings(row.sealed_configuration),
    },
  });
}

export function reactorTombstone(row: Pick<ReactorRow, 'id' | 'version'>): NamedRecord {
  return tombstone(reactorRecord(row.id), Number(row.version) + 1);
}

/** All reactors, for a rebuild. */
export function allPublishedReactors(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<PublishedColumns & PublishedFormula>(
        'page-of-all-reactors',
        `SELECT r.id, r.tenant_id, r.formula_id, r.name, r.sealed_configuration, r.application_id, r.version,
                f.code, f.configuration, f.request_parameters
           FROM reactors r JOIN reactor_formulas f ON f.id = r.formula_id
          WHERE r.id > $1 ORDER BY r.id LIMIT $2`,
        [after, limit],
      ),
    (row) => [publishedReactor(row, row)],
  );
}
