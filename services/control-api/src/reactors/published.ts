import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Reactor } from '@glovebox/protos/published/v1/published';
import { reactorRecord } from '@glovebox/published/keys';

import { publishedHosts } from '../destinations/published-hosts.ts';
import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { publishedFieldsOf } from '../fields/column.ts';
import { columnsOf } from '../fields/table.ts';
import type { FormulaRow } from '../formulas/fields.ts';
import {
  type NamedRecord,
  type RecordPages,
  namedRecord,
  publishInPages,
  tombstone,
} from '../publication/record.ts';
import { publishedSettings } from '../secrets/sealer.ts';
import { type ReactorRow, reactorFields } from './fields.ts';

const reactorPart = publishedFieldsOf(reactorFields);

type PublishedFormula = Pick<FormulaRow, 'code' | 'configuration' | 'request_parameters'>;

/** The published record of a reactor. */
export function publishedReactor(row: ReactorRow, formula: PublishedFormula): NamedRecord {
  const value = publishedValue(row, formula);
  return namedRecord(reactorRecord(row.id), Number(row.version), { $case: 'reactor', value });
}

/** What is published of a version of a reactor. */
export function publishedValue(row: ReactorRow, formula: PublishedFormula): Reactor {
  return {
    ...reactorPart(row),
    code: formula.code,
    declaredConfiguration: formula.configuration.map(({ name, type }) => ({ name, type })),
    requestParameters: formula.request_parameters.map(({ name, type, optional }) => ({
      name,
      type,
      optional,
    })),
    sealedConfiguration: publishedSettings(row.sealed_configuration),
    allowedDestinations: publishedHosts(row.allowed_destinations),
  };
}

export function reactorTombstone(row: Pick<ReactorRow, 'id' | 'version'>): NamedRecord {
  return tombstone(reactorRecord(row.id), Number(row.version) + 1);
}

/** All reactors, for a rebuild. */
export function allPublishedReactors(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<ReactorRow & PublishedFormula>(
        'page-of-all-reactors',
        `SELECT ${columnsOf(reactorFields, 'r')},
                f.code, f.configuration, f.request_parameters
           FROM reactors r JOIN reactor_formulas f ON (f.tenant_id, f.id) = (r.tenant_id, r.formula_id)
          WHERE r.id > $1 ORDER BY r.id LIMIT $2`,
        [after, limit],
      ),
    (row) => [publishedReactor(row, row)],
  );
}

/** The records of all reactors of a changed formula, with their versions raised; these are no versions of their own. */
export function republishReactors(tx: Queryable, formula: FormulaRow): RecordPages {
  return publishInPages(
    (after, limit) =>
      tx.query<ReactorRow>(
        'raise-versions-of-reactors',
        `WITH page AS (
           SELECT id FROM reactors WHERE formula_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE
         ), raised AS (
           UPDATE reactors r SET version = r.version + 1, formula_changes = r.formula_changes + 1
             FROM page WHERE r.id = page.id
           RETURNING ${columnsOf(reactorFields, 'r')}
         )
         SELECT * FROM raised ORDER BY id`,
        [formula.id, after, limit],
      ),
    (row) => [publishedReactor(row, formula)],
  );
}

/** Without code and configuration. */
export function reactorEvent(change: 'created' | 'updated' | 'deleted', row: ReactorRow): WebhookEvent {
  const { id, name, application_id } = row;
  const application = application_id === null ? undefined : { id: application_id };
  return { type: `reactor.${change}`, data: { id, name, application, ...auditFields(row) } };
}
