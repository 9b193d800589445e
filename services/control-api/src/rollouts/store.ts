import type { Queryable } from '@glovebox/platform/db/postgres';

import { columnsOf } from '../fields/table.ts';
import { type RolloutRow, rolloutFields } from './rollout.ts';

/** A rollout with the present version of its resource. */
export interface FoundRollout {
  readonly row: RolloutRow;
  readonly present: string;
}

/** A rollout that may have to be stopped. */
export interface WatchedRollout {
  readonly row: RolloutRow;
  readonly tenantId: string;
}

/** Rollouts of one kind of resources. */
export interface RolloutTable {
  /** Undefined for a resource without one, or of another tenant; one that was deleted counts. */
  find(db: Queryable, tenantId: string, id: string): Promise<FoundRollout | undefined>;
  /** Of a locked resource. */
  store(tx: Queryable, row: RolloutRow): Promise<void>;
  /** Those that run and may stop by themselves, by the id of the resource. */
  watched(db: Queryable, after: string, limit: number): Promise<WatchedRollout[]>;
}

/** @param version of a resource `r`, as the API shows it */
export function rolloutTable(table: string, resources: string, version: string): RolloutTable {
  const names = Object.keys(rolloutFields);
  const columns = columnsOf(rolloutFields, 'o');
  const set = names.slice(1).map((name) => `${name} = excluded.${name}`);
  return {
    async find(db, tenantId, id) {
      const rows = await db.query<RolloutRow & { present: string }>(
        `find-${table}`,
        `SELECT ${columns}, ${version} AS present FROM ${table} o JOIN ${resources} r ON (r.tenant_id, r.id) = (o.tenant_id, o.resource_id)
          WHERE r.id = $1 AND r.tenant_id = $2`,
        [id, tenantId],
      );
      return rows.map(({ present, ...row }) => ({ row, present }))[0];
    },
    async store(tx, row) {
      const values = Object.entries(rolloutFields).map(([name]) => row[name as keyof RolloutRow]);
      await tx.query(
        `store-${table}`,
        `INSERT INTO ${table} (tenant_id, ${names.join(', ')})
         SELECT tenant_id, ${names.map((_, i) => `$${i + 1}`).join(', ')} FROM ${resources} WHERE id = $1
             ON CONFLICT (tenant_id, resource_id) DO UPDATE SET ${set.join(', ')}`,
        values,
      );
    },
    async watched(db, after, limit) {
      const rows = await db.query<RolloutRow & { tenant_id: string }>(
        `watched-${table}`,
        `SELECT ${columns}, o.tenant_id FROM ${table} o
          WHERE o.state = 'running' AND o.stop_error_rate IS NOT NULL AND o.resource_id > $1
          ORDER BY o.resource_id LIMIT $2`,
        [after, limit],
      );
      return rows.map(({ tenant_id: tenantId, ...row }) => ({ row, tenantId }));
    },
  };
}
