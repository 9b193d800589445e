import type { PartitionedLog } from '@glovebox/platform/db/log-partitions';
import type { Queryable } from '@glovebox/platform/db/postgres';

import type { LogEntry, LogFilter, Outcome, Place } from './log-entry.ts';

interface Row {
  readonly id: string;
  readonly micros: string;
  readonly actor_id: string | null;
  readonly operation: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly trace_id: string | null;
  readonly client_address: string | null;
  readonly actor_type: 'application' | 'user' | 'system' | null;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
}

/** Behind a place, newest first. */
export async function selectEntries(
  db: Queryable,
  filter: LogFilter,
  after: Omit<Place, 'source'>,
  limit: number,
): Promise<readonly LogEntry[]> {
  // An index begins at the end of the time, not at the place.
  const to = Math.min(filter.to, after.at + 1);
  const { condition, values, name, isRare } = conditionOf({ ...filter, to });
  const rows = await ask<Row>(
    db,
    isRare,
    `list-logs-${name}`,
    `SELECT id, (extract(epoch FROM at) * 1000000)::bigint AS micros, actor_id, operation, entity_type, entity_id,
            trace_id, client_address, actor_type, outcome, reason
       FROM logs WHERE ${condition} AND (at, id) < (${moment('$4')}, $5)
      ORDER BY at DESC, id DESC LIMIT $6`,
    [...values.slice(0, 3), after.at, after.id, limit, ...values.slice(3)],
  );
  return rows.map((row) => ({
    source: 'control',
    at: Number(row.micros),
    id: Number(row.id),
    actorId: row.actor_id ?? undefined,
    actorType: row.actor_id === null ? 'system' : (row.actor_type ?? 'application'),
    operation: row.operation,
    outcome: row.outcome ?? 'allowed',
    reason: row.reason ?? undefined,
    entityType: row.entity_type,
    entityId: row.entity_id,
    traceId: row.trace_id ?? undefined,
    clientAddress: row.client_address ?? undefined,
  }));
}

/** A count stops here, as that of the vault's log does: a request takes bounded time. */
const mostCounted = 1_000_000;

export async function countEntries(db: Queryable, filter: LogFilter): Promise<number> {
  const { condition, values, name, isRare } = conditionOf(filter, 4);
  const rows = await ask<{ total: string }>(
    db,
    isRare,
    `count-logs-${name}`,
    `SELECT count(*) AS total FROM (SELECT 1 FROM logs WHERE ${condition} LIMIT ${mostCounted}) AS counted`,
    values,
  );
  return Number(rows[0]?.total ?? 0);
}

/** How often something was done in a tenant within the last hour, as its entries say. */
export async function countLately(tx: Queryable, tenantId: string, operation: string): Promise<number> {
  const rows = await tx.query<{ total: string }>(
    'count-logs-lately',
    `SELECT count(*) AS total FROM logs
      WHERE tenant_id = $1 AND operation = $2 AND at > now() - interval '1 hour'`,
    [tenantId, operation],
  );
  return Number(rows[0]?.total ?? 0);
}

function ask<Row extends object>(
  db: Queryable,
  isRare: boolean,
  ...statement: [name: string, text: string, values: readonly unknown[]]
): Promise<Row[]> {
  return isRare ? db.queryOnce<Row>(...statement) : db.query<Row>(...statement);
}

/** The log, as platform's log-partitions.ts makes its partitions. */
export const managementLog = (db: Queryable): PartitionedLog => ({ name: 'log', db });

const purgedAtOnce = 1000;

/**
 * Drops the partitions that end before a moment. The partition from before there were any holds much older entries than
 * its newest: of that one, all older entries are deleted, some at a time.
 */
export async function purgeEntries(db: Queryable, before: Date): Promise<void> {
  await db.query('drop-log-partitions', 'SELECT drop_log_partitions($1)', [before]);
  for (let more = true; more;) {
    const rows = await db.query<{ count: number }>(
      'purge-logs',
      `WITH old AS (
         SELECT tenant_id, at, id FROM logs
          WHERE at < $1 AND at < (SELECT ends FROM log_partitions() WHERE starts IS NULL) ORDER BY at LIMIT $2),
       purged AS (
         DELETE FROM logs USING old
          WHERE (logs.tenant_id, logs.at, logs.id) = (old.tenant_id, old.at, old.id) RETURNING 1)
       SELECT count(*)::integer AS count FROM purged`,
      [before, purgedAtOnce],
    );
    more = rows[0]?.count === purgedAtOnce;
  }
}

const moment = (parameter: string) =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/**
 * A statement for each combination, so that each has a plan of its own. Those with rare filters are planned for their
 * values, and not kept: there are too many.
 */
function conditionOf(filter: LogFilter, next = 7) {
  const { tenantId, entityType, entityId, outcome, actorId, operation, traceId, from, to } = filter;
  let condition = `tenant_id = $1 AND at >= ${moment('$2')} AND at < ${moment('$3')}`;
  const values: unknown[] = [tenantId, from, to];
  const equal = (column: string, value: string | undefined, type = 'text') => {
    if (value === undefined) return;
    condition += ` AND ${column} = $${next - 4 + values.push(value)}::${type}`;
  };
  equal('entity_type', entityType);
  equal('entity_id', entityId);
  equal('actor_id', actorId, 'uuid');
  equal('operation', operation);
  equal('trace_id', traceId);
  equal("coalesce(outcome, 'allowed')", outcome);
  const name = `${entityType === undefined ? 'any' : 'type'}-${entityId === undefined ? 'any' : 'id'}`;
  const isRare = [actorId, operation, traceId, outcome].some((value) => value !== undefined);
  return { name, condition, values, isRare };
}
