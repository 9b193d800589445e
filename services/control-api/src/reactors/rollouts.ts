import type { Queryable } from '@glovebox/platform/db/postgres';
import { reactorRolloutRecord } from '@glovebox/published/keys';
import { secondVersion } from '@glovebox/published/second-version';

import { columnsOf } from '../fields/table.ts';
import type { FormulaRow } from '../formulas/fields.ts';
import {
  type NamedRecord,
  type RecordPages,
  namedRecord,
  publishInPages,
  tombstone,
} from '../publication/record.ts';
import type { RolloutKind } from '../rollouts/kind.ts';
import { type RolloutColumns, publishedRolloutFields, rolloutColumns } from '../rollouts/published.ts';
import { rolloutTable } from '../rollouts/store.ts';
import { readDefinition } from '../versions/definition.ts';
import { type ReactorRow, reactorFields } from './fields.ts';
import { publishedValue } from './published.ts';
import { lockReactor } from './store.ts';
import { ownCodeOf, reactorVersion } from './versions.ts';

type PublishedFormula = Pick<FormulaRow, 'code' | 'configuration' | 'request_parameters'>;

interface RolledOut extends ReactorRow, PublishedFormula, RolloutColumns {}

const rolledOut = `SELECT ${columnsOf(reactorFields, 'r')}, f.code, f.configuration, f.request_parameters,
       ${rolloutColumns}
  FROM reactor_rollouts o
  JOIN reactors r ON (r.tenant_id, r.id) = (o.tenant_id, o.resource_id)
  JOIN reactor_formulas f ON (f.tenant_id, f.id) = (r.tenant_id, r.formula_id)
  JOIN reactor_versions v ON (v.tenant_id, v.resource_id, v.version) = (o.tenant_id, o.resource_id, o.version)`;

export const reactorRollouts: RolloutKind = {
  name: 'reactor',
  ...rolloutTable('reactor_rollouts', 'reactors', 'r.version - r.formula_changes'),
  async lock(tx, tenantId, id) {
    return reactorVersion(await lockReactor(tx, tenantId, id));
  },
  async published(tx, id) {
    const rows = await tx.query<RolledOut>('published-rollout-of-reactor', `${rolledOut} WHERE r.id = $1`, [
      id,
    ]);
    return rows.map(publishedRollout);
  },
};

function publishedRollout(row: RolledOut): NamedRecord {
  const { configuration, request_parameters } = row;
  const formula = { code: ownCodeOf(row.definition) ?? row.code, configuration, request_parameters };
  return namedRecord(reactorRolloutRecord(row.id), Number(row.revision), {
    $case: 'reactorRollout',
    value: {
      ...publishedRolloutFields(row),
      reactorVersion: secondVersion(BigInt(row.rollout_version), BigInt(row.formula_changes)),
      reactor: publishedValue({ ...row, ...readDefinition(reactorFields, row.definition) }, formula),
      version: Number(row.rollout_version),
      formulaChanges: Number(row.formula_changes),
    },
  });
}

/** Of reactors that are being deleted. */
export async function reactorRolloutTombstones(
  tx: Queryable,
  ids: readonly string[],
): Promise<NamedRecord[]> {
  const rows = await tx.query<{ resource_id: string; revision: string }>(
    'rollouts-of-reactors',
    'SELECT resource_id, revision FROM reactor_rollouts WHERE resource_id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ resource_id, revision }) =>
    tombstone(reactorRolloutRecord(resource_id), Number(revision) + 1),
  );
}

/** All rollouts of reactors, for a rebuild; those that have ended are still known to invocations that began before. */
export function allPublishedReactorRollouts(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<RolledOut>(
        'page-of-all-reactor-rollouts',
        `${rolledOut} WHERE r.id > $1 ORDER BY r.id LIMIT $2`,
        [after, limit],
      ),
    (row) => [publishedRollout(row)],
  );
}

/** The records of the rollouts of a changed formula's reactors, with their revisions raised. */
export function republishRollouts(tx: Queryable, formulaId: string): RecordPages {
  return publishInPages(
    (after, limit) =>
      tx.query<RolledOut>(
        'raise-revisions-of-rollouts',
        `WITH raised AS (
           UPDATE reactor_rollouts SET revision = revision + 1
            WHERE resource_id IN (SELECT r.id FROM reactors r JOIN reactor_rollouts o ON o.resource_id = r.id
                                   WHERE r.formula_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3)
           RETURNING resource_id, revision
         )
         SELECT page.*, raised.revision FROM (${rolledOut}) page JOIN raised ON raised.resource_id = page.id ORDER BY page.id`,
        [formulaId, after, limit],
      ),
    (row) => [publishedRollout(row)],
  );
}
