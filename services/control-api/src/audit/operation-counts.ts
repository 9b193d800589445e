import { gatherInParts } from '@glovebox/platform/db/gather-in-parts';
import type { Queryable, Transacting } from '@glovebox/platform/db/postgres';
import { monthOf } from '@glovebox/platform/values/month-of';

import type { OperationCount } from './vault-sources.ts';

const keptMonths = 13;
/** Older entries are counted only by the periodic task: after an upgrade there may be very many. */
const countedInPlace = `interval '1 hour'`;

/** Counts the log entries of each tenant, unless another process is counting. */
export async function gatherOperationCounts(postgres: Transacting): Promise<void> {
  await gatherInParts(postgres, {
    name: 'operation-counts',
    progressTable: 'operation_count_progress',
    gather: async (tx, from, to) => {
      const rows = await tx.query<{ count: string | null }>(
        'gather-operation-counts',
        `WITH done AS MATERIALIZED (
           SELECT tenant_id, ${monthOf('at')} AS month, entity_type, operation, count(*) AS count
             FROM logs
            WHERE at >= $1 AND at < $2
              AND NOT EXISTS (SELECT 1 FROM tenant_erasure AS erased WHERE erased.tenant_id = logs.tenant_id)
            GROUP BY 1, 2, 3, 4),
         gathered AS (
           INSERT INTO operation_count (tenant_id, month, entity_type, operation, count)
           SELECT tenant_id, month, entity_type, operation, count FROM done
               ON CONFLICT (tenant_id, month, entity_type, operation)
               DO UPDATE SET count = operation_count.count + excluded.count)
         SELECT sum(count) AS count FROM done`,
        [from, to],
      );
      return Number(rows[0]?.count ?? 0);
    },
  });
  await postgres.query(
    'forget-operation-counts',
    `DELETE FROM operation_count WHERE month < ${monthOf('now()')} - make_interval(months => $1)`,
    [keptMonths],
  );
}

/** The last twelve months of a tenant; entries that are not gathered yet are counted in the log. */
export async function countOperations(db: Queryable, tenantId: string): Promise<OperationCount[]> {
  const rows = await db.query<{
    year: number;
    month: number;
    entity_type: string;
    operation: string;
    count: string;
  }>(
    'count-operations',
    `WITH recent AS MATERIALIZED (
       SELECT ${monthOf('at')} AS month, entity_type, operation, count(*) AS count FROM logs
        WHERE tenant_id = $1
          AND at >= (SELECT greatest(gathered_until, now() - ${countedInPlace}) FROM operation_count_progress)
        GROUP BY 1, 2, 3)
     SELECT extract(year FROM month)::integer AS year, extract(month FROM month)::integer AS month,
            entity_type, operation, sum(count) AS count
       FROM (SELECT month, entity_type, operation, count FROM operation_count WHERE tenant_id = $1
              UNION ALL
             SELECT month, entity_type, operation, count FROM recent) AS counted
      WHERE month > ${monthOf('now()')} - make_interval(months => 12)
      GROUP BY counted.month, entity_type, operation`,
    [tenantId],
  );
  return rows.map(({ year, month, entity_type: entityType, operation, count }) => ({
    year,
    month,
    entityType,
    operation,
    purpose: '',
    count: Number(count),
  }));
}
