import type { Queryable } from '@glovebox/platform/db/postgres';

import type { EventInbox } from './event-inbox.ts';
import type { EventBody } from './webhook-events.ts';

/** An event that is committed and not yet in the inbox. */
export interface StoredEvent {
  /** Of its row: digits. */
  readonly row: string;
  readonly event: EventBody;
}

interface StoredRow {
  readonly id: string;
  readonly event: string;
}

function storedEvent({ id, event: text }: StoredRow): StoredEvent {
  const event: EventBody = JSON.parse(text);
  return { row: id, event };
}

/** How many events were moved to the inbox. */
export interface MovedEvents {
  readonly events: number;
  /** The inbox has no room for the rest. */
  readonly full: boolean;
}

/** Stores events in the transaction of their change. The table is `event_outbox` in either database. */
export async function insertEvents(tx: Queryable, events: readonly EventBody[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query('keep-events', 'INSERT INTO event_outbox (event) SELECT unnest($1::text[])', [
    events.map((event) => JSON.stringify(event)),
  ]);
}

/** The oldest that no other process is moving; they are locked until the transaction ends. */
export async function lockOldestEvents(tx: Queryable, limit: number): Promise<readonly StoredEvent[]> {
  const rows = await tx.query<StoredRow>(
    'read-kept-events',
    'SELECT id, event FROM event_outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED',
    [limit],
  );
  return rows.map(storedEvent);
}

/** Rows of the oldest, without locking them. */
export async function oldestEventRows(db: Queryable, limit: number): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(
    'oldest-kept-rows',
    'SELECT id FROM event_outbox ORDER BY id LIMIT $1',
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** As `lockOldestEvents`, those of these rows that still exist. */
export async function lockEvents(tx: Queryable, rows: readonly string[]): Promise<readonly StoredEvent[]> {
  const found = await tx.query<StoredRow>(
    'read-kept-events-of',
    'SELECT id, event FROM event_outbox WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE SKIP LOCKED',
    [rows],
  );
  return found.map(storedEvent);
}

/**
 * Puts events into the inbox and deletes them. If the process dies before the transaction commits, they are emitted
 * again under the same ids. Rejects while Redis is away.
 */
export async function moveToInbox(
  tx: Queryable,
  inbox: Pick<EventInbox, 'put'>,
  kept: readonly StoredEvent[],
): Promise<MovedEvents> {
  const events = await inbox.put(kept.map(({ event }) => event));
  const rows = kept.slice(0, events).map(({ row }) => row);
  if (rows.length > 0)
    await tx.query('forget-events', 'DELETE FROM event_outbox WHERE id = ANY($1::bigint[])', [rows]);
  return { events, full: events < kept.length };
}

export async function hasStoredEvents(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ some: boolean }>(
    'has-kept-events',
    'SELECT EXISTS (SELECT 1 FROM event_outbox) AS some',
  );
  return rows[0]?.some === true;
}

/** As long as a delivery is tried at most. */
const keptForHours = 24;

const droppedAtOnce = 1000;

/**
 * Deletes events that have waited too long, the oldest first. Any number of processes may do it at once.
 * @returns how many
 */
export async function deleteOldEvents(db: Queryable): Promise<number> {
  let dropped = 0;
  for (let more = true; more;) {
    const rows = await db.query<{ count: number }>(
      'drop-old-events',
      `WITH oldest AS MATERIALIZED (SELECT id FROM event_outbox ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED),
            old AS (DELETE FROM event_outbox WHERE id IN (SELECT id FROM oldest)
                       AND created_at < now() - make_interval(hours => $1) RETURNING 1)
       SELECT count(*)::integer AS count FROM old`,
      [keptForHours, droppedAtOnce],
    );
    const count = rows[0]?.count ?? 0;
    dropped += count;
    more = count === droppedAtOnce;
  }
  return dropped;
}
