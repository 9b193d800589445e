import type { Queryable } from '@glovebox/platform/db/postgres';
import { proxyRolloutRecord } from '@glovebox/published/keys';

import { columnsOf } from '../fields/table.ts';
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
import { type ProxyRow, proxyFields } from './fields.ts';
import { publishedValue } from './published.ts';
import { lockProxy } from './store.ts';

interface RolledOut extends ProxyRow, RolloutColumns {}

const rolledOut = `SELECT ${columnsOf(proxyFields, 'p')}, ${rolloutColumns}
  FROM proxy_rollouts o
  JOIN proxies p ON (p.tenant_id, p.id) = (o.tenant_id, o.resource_id)
  JOIN proxy_versions v ON (v.tenant_id, v.resource_id, v.version) = (o.tenant_id, o.resource_id, o.version)`;

export const proxyRollouts: RolloutKind = {
  name: 'proxy',
  ...rolloutTable('proxy_rollouts', 'proxies', 'r.version'),
  async lock(tx, tenantId, id) {
    return (await lockProxy(tx, tenantId, id)).version;
  },
  async published(tx, id) {
    const rows = await tx.query<RolledOut>('published-rollout-of-proxy', `${rolledOut} WHERE p.id = $1`, [
      id,
    ]);
    return rows.map(publishedRollout);
  },
};

function publishedRollout(row: RolledOut): NamedRecord {
  return namedRecord(proxyRolloutRecord(row.key_hash), Number(row.revision), {
    $case: 'proxyRollout',
    value: {
      ...publishedRolloutFields(row),
      proxyVersion: Number(row.rollout_version),
      proxy: publishedValue({ ...row, ...readDefinition(proxyFields, row.definition) }),
    },
  });
}

/** Of proxies that are being deleted. */
export async function proxyRolloutTombstones(tx: Queryable, ids: readonly string[]): Promise<NamedRecord[]> {
  const rows = await tx.query<{ key_hash: string; revision: string }>(
    'rollouts-of-proxies',
    `SELECT p.key_hash, o.revision FROM proxy_rollouts o JOIN proxies p ON (p.tenant_id, p.id) = (o.tenant_id, o.resource_id)
      WHERE p.id = ANY($1::uuid[])`,
    [ids],
  );
  return rows.map(({ key_hash, revision }) => tombstone(proxyRolloutRecord(key_hash), Number(revision) + 1));
}

/** All rollouts of proxies, for a rebuild; those that have ended are still known to requests that began before. */
export function allPublishedProxyRollouts(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<RolledOut>(
        'page-of-all-proxy-rollouts',
        `${rolledOut} WHERE p.id > $1 ORDER BY p.id LIMIT $2`,
        [after, limit],
      ),
    (row) => [publishedRollout(row)],
  );
}
