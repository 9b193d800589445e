import { gatherInParts } from '@glovebox/platform/db/gather-in-parts';
import type { Queryable, Transacting } from '@glovebox/platform/db/postgres';
import { monthOf } from '@glovebox/platform/values/month-of';

import { done } from './audit-events.ts';
import { notErased } from './token-activity.ts';

const keptMonths = 13;
/** Older rows are counted only by the gatherers: after an upgrade, that may be the whole log. */
const ofLog = `interval '1 hour'`;

/** As operations/reports/list-audit.ts shows them. */
const kind = `
  ${monthOf('at')} AS month,
  CASE WHEN token_id IS NOT NULL THEN 'token' ELSE purpose END AS entity_type,
  CASE WHEN token_id IS NOT NULL THEN operation ELSE replace(operation, '_' || purpose, '') END AS operation,
  CASE WHEN token_id IS NOT NULL THEN coalesce(purpose, '') ELSE '' END AS purpose,
  count(*) AS count`;

/** Adds up the operations of each tenant from the audit log, unless another vault is doing so. */
export async function gatherOperations(postgres: Transacting): Promise<void> {
  await gatherInParts(postgres, {
    name: 'operations',
    progressTable: 'operation_count_progress',
    gather: async (tx, from, to) => {
      const rows = await tx.query<{ count: string | null }>(
        'operations-gather',
        `WITH done AS MATERIALIZED (
           SELECT tenant_id, ${kind} FROM audit
            WHERE at >= $1 AND at < $2 AND ${done} AND ${notErased} GROUP BY 1, 2, 3, 4, 5),
         gathered AS (
           INSERT INTO operation_count (tenant_id, month, entity_type, operation, purpose, count)
           SELECT tenant_id, month, entity_type, operation, purpose, count FROM done
               ON CONFLICT (tenant_id, month, entity_type, operation, purpose)
               DO UPDATE SET count = operation_count.count + excluded.count)
         SELECT sum(count) AS count FROM done`,
        [from, to],
      );
      return Number(rows[0]?.count ?? 0);
    },
  });
  await postgres.query(
    'operations-forget',
    `DELETE FROM operation_count WHERE month < ${monthOf('now()')} - make_interval(months => $1)`,
    [keptMonths],
  );
}

/** The number of times that an operation was done in a month of UTC. */
export interface OperationCount {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly entityType: string;
  readonly operation: string;
  /** Empty: none. */
  readonly purpose: string;
  readonly count: number;
}

export interface OperationCounts {
  readonly operations: readonly OperationCount[];
  /** How many are not gathered yet. */
  readonly countedInPlace: number;
}

/** A tenant's last twelve months, the latest first. Operations that are not gathered yet are counted in place. */
export async function readOperations(db: Queryable, tenantId: string): Promise<OperationCounts> {
  const rows = await db.query<Row>(
    'operations-read',
    `WITH recent AS MATERIALIZED (
       SELECT ${kind} FROM audit
        WHERE tenant_id = $1 AND ${done}
          AND at >= (SELECT greatest(gathered_until, now() - ${ofLog}) FROM operation_count_progress)
        GROUP BY 1, 2, 3, 4)
     SELECT extract(year FROM month)::integer AS year, extract(month FROM month)::integer AS month,
            entity_type, operation, purpose, sum(count) AS count, sum(in_place) AS in_place
       FROM (SELECT month, entity_type, operation, purpose, count, 0 AS in_place FROM operation_count WHERE tenant_id = $1
              UNION ALL
             SELECT month, entity_type, operation, purpose, count, count FROM recent) AS counted
      WHERE month > ${monthOf('now()')} - make_interval(months => 12)
      GROUP BY counted.month, entity_type, operation, purpose
      ORDER BY counted.month DESC, entity_type, operation, purpose`,
    [tenantId],
  );
  return {
    operations: rows.map(({ year, month, entity_type: entityType, operation, purpose, count }) => ({
      year,
      month,
      entityType,
      operation,
      purpose,
      count: Number(count),
    })),
    countedInPlace: rows.reduce((sum, { in_place }) => sum + Number(in_place), 0),
  };
}

interface Row {
  readonly year: number;
  readonly month: number;
  readonly entity_type: string;
  readonly operation: string;
  readonly purpose: string;
  readonly count: string;
  readonly in_place: string;
}
