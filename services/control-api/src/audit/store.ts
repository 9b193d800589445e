import type { Queryable } from '@glovebox/platform/db/postgres';

import type { LogEntry, LogFilter, Place } from './log-entry.ts';

interface Row {
  readonly id: string;
  readonly micros: string;
  readonly actor_id: string | null;
  readonly operation: string;
  readonly entity_type: string;
  readonly entity_id: string;
}

/** Behind a place, newest first. */
export async function selectEntries(
  db: Queryable,
  filter: LogFilter,
  after: Omit<Place, 'source'>,
  limit: number,
): Promise<readonly LogEntry[]> {
  const { name, condition, values } = conditionOf(filter);
  const rows = await db.query<Row>(
    `list-logs-${name}`,
    `SELECT id, (extract(epoch FROM at) * 1000000)::bigint AS micros, actor_id, operation, entity_type, entity_id
       FROM logs WHERE ${condition} AND (at, id) < (${moment('$4')}, $5)
      ORDER BY at DESC, id DESC LIMIT $6`,
    [...values.slice(0, 3), after.at, after.id, limit, ...values.slice(3)],
  );
  return rows.map((row) => ({
    source: 'control',
    at: Number(row.micros),
    id: Number(row.id),
    actorId: row.actor_id ?? undefined,
    actorType: row.actor_id === null ? 'system' : 'application',
    operation: row.operation,
    outcome: 'allowed',
    entityType: row.entity_type,
    entityId: row.entity_id,
  }));
}

export async function countEntries(db: Queryable, filter: LogFilter): Promise<number> {
  const { name, condition, values } = conditionOf(filter, 4);
  const rows = await db.query<{ total: string }>(
    `count-logs-${name}`,
    `SELECT count(*) AS total FROM logs WHERE ${condition}`,
    values,
  );
  return Number(rows[0]?.total ?? 0);
}

/** Deletes older entries. */
export async function purgeEntries(db: Queryable, before: Date): Promise<void> {
  await db.query('purge-logs', 'DELETE FROM logs WHERE at < $1', [before]);
}

const moment = (parameter: string) =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/** A statement for each combination, so that each has a plan of its own. */
function conditionOf({ tenantId, entityType, entityId, from, to }: LogFilter, next = 7) {
  let condition = `tenant_id = $1 AND at >= ${moment('$2')} AND at < ${moment('$3')}`;
  const values: unknown[] = [tenantId, from, to];
  if (entityType !== undefined) {
    condition += ` AND entity_type = $${next}`;
    values.push(entityType);
  }
  if (entityId !== undefined) {
    condition += ` AND entity_id = $${entityType === undefined ? next : next + 1}`;
    values.push(entityId);
  }
  const name = `${entityType === undefined ? 'any' : 'type'}-${entityId === undefined ? 'any' : 'id'}`;
  return { name, condition, values };
}
