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
  readonly traceparent: string | null;
}

/** The oldest entries. Entries about one record stand in the order of its versions. */
export async function readEntries(tx: Queryable, limit: number): Promise<Entry[]> {
  const rows = await tx.query<EntryRow>(
    'read-outbox',
    'SELECT id, record_names, record_values, traceparent FROM outbox ORDER BY id LIMIT $1',
    [limit],
  );
  return rows.map((row) => ({
    id: row.id,
    records: row.record_names.map((name, i) => ({ name, value: row.record_values[i] as Buffer })),
    traceparent: row.traceparent ?? undefined,
  }));
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
