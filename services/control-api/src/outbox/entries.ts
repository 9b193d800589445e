import type { Queryable } from '@glovebox/platform/postgres';
import type { RecordName } from '@glovebox/published/keys';

import type { NamedRecord } from './record.ts';

/** A committed change that waits to be published. */
export interface Entry {
  readonly id: string;
  readonly records: readonly NamedRecord[];
  readonly traceparent: string | undefined;
}

interface EntryRow {
  readonly id: string;
  readonly record_names: RecordName[];
  readonly record_values: Buffer[];
  readonly bytes: string;
  readonly traceparent: string | null;
}

export interface OldestEntries {
  readonly entries: readonly Entry[];
  /** There may be others, which were left for the next time. */
  readonly more: boolean;
}

/**
 * The oldest entries: no more of them than `limit`, and none after those that make up `maxBytes`. Entries about one
 * record stand in the order of its versions.
 */
export async function readEntries(tx: Queryable, limit: number, maxBytes: number): Promise<OldestEntries> {
  const rows = await tx.query<EntryRow>(
    'read-outbox',
    `SELECT id, record_names, record_values, bytes, traceparent
       FROM (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before
               FROM (SELECT * FROM outbox ORDER BY id LIMIT $1) AS oldest) AS summed
      WHERE bytes_before < $2 ORDER BY id`,
    [limit, maxBytes],
  );
  const entries = rows.map((row) => ({
    id: row.id,
    records: row.record_names.map((name, i) => ({ name, value: row.record_values[i] as Buffer })),
    traceparent: row.traceparent ?? undefined,
  }));
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return { entries, more: rows.length === limit || bytes >= maxBytes };
}

/** All entries, without their records' values. */
export async function readEntryHeads(tx: Queryable): Promise<{ id: string; names: RecordName[] }[]> {
  return tx.query('read-outbox-heads', 'SELECT id, record_names AS names FROM outbox');
}

export async function deleteEntries(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('delete-from-outbox', 'DELETE FROM outbox WHERE id = ANY($1::bigint[])', [ids]);
}

export interface Backlog {
  readonly entries: number;
  /** Of the oldest entry. */
  readonly ageSeconds: number;
}

export async function readBacklog(db: Queryable): Promise<Backlog> {
  const rows = await db.query<{ entries: string; age: number | null }>(
    'read-backlog',
    `SELECT count(*) AS entries, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS age
       FROM outbox`,
  );
  return { entries: Number(rows[0]?.entries ?? 0), ageSeconds: Math.max(0, rows[0]?.age ?? 0) };
}
