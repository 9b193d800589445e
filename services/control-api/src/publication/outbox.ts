import type { Queryable } from '@glovebox/platform/db/postgres';
import { context, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type { RecordName } from '@glovebox/published/keys';

import type { NamedRecord, RecordPages } from './record.ts';

/** A committed change that waits to be published. */
export interface Entry {
  readonly id: string;
  readonly records: readonly NamedRecord[];
  /** Of the records' values. */
  readonly bytes: number;
  readonly traceparent: string | undefined;
}

/** One record of an entry: pg takes seconds over a large array of bytea, but no time over a large bytea. */
interface RecordRow {
  readonly id: string;
  readonly bytes: string;
  readonly traceparent: string | null;
  readonly name: RecordName;
  readonly value: Buffer;
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
  const rows = await tx.query<RecordRow>(
    'read-outbox',
    `SELECT id, bytes, traceparent, name, value
       FROM (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before
               FROM (SELECT * FROM outbox ORDER BY id LIMIT $1) AS oldest) AS summed,
            unnest(record_names, record_values) WITH ORDINALITY AS record (name, value, position)
      WHERE bytes_before < $2 ORDER BY id, position`,
    [limit, maxBytes],
  );
  const entries = [...Map.groupBy(rows, (row) => row.id)].map(([id, records]) => {
    const [first] = records as [RecordRow];
    return { id, records, bytes: Number(first.bytes), traceparent: first.traceparent ?? undefined };
  });
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return { entries, more: entries.length === limit || bytes >= maxBytes };
}

/** All entries, without their records' values. */
export async function readEntryHeads(tx: Queryable): Promise<{ id: string; names: RecordName[] }[]> {
  return tx.query('read-outbox-heads', 'SELECT id, record_names AS names FROM outbox');
}

/** @returns how long each had been waiting, in seconds. */
export async function deleteEntries(tx: Queryable, ids: readonly string[]): Promise<number[]> {
  const rows = await tx.query<{ age: number }>(
    'delete-from-outbox',
    `DELETE FROM outbox WHERE id = ANY($1::bigint[])
     RETURNING extract(epoch FROM clock_timestamp() - created_at)::float8 AS age`,
    [ids],
  );
  return rows.map(({ age }) => age);
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

/** Bounds the work of one Redis script, during which Redis answers no other client. */
const maxRecordsPerEntry = 1000;
const maxBytesPerEntry = 8 * 1024 * 1024;

/** Queues records for publication when the transaction commits. */
export async function append(tx: Queryable, records: readonly NamedRecord[] | RecordPages): Promise<void> {
  for await (const page of Symbol.asyncIterator in records ? records : [records]) {
    for (const part of inParts(page)) await appendEntry(tx, part);
  }
}

async function appendEntry(tx: Queryable, records: readonly NamedRecord[]): Promise<void> {
  await tx.query(
    'append-to-outbox',
    'INSERT INTO outbox (record_names, record_values, bytes, traceparent) VALUES ($1, $2, $3, $4)',
    [
      records.map((record) => record.name),
      records.map((record) => record.value),
      records.reduce((sum, record) => sum + record.value.length, 0),
      traceparentOf(context.active()) ?? null,
    ],
  );
}

function* inParts(records: readonly NamedRecord[]): Iterable<readonly NamedRecord[]> {
  let part: NamedRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const full = part.length === maxRecordsPerEntry || bytes + record.value.length > maxBytesPerEntry;
    if (full && part.length > 0) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += record.value.length;
  }
  if (part.length > 0) yield part;
}

/** The identity of this database in the projection, and how many of its changes are known to be published. */
export interface Installation {
  readonly id: string;
  readonly lastPublished: number;
}

export async function readInstallation(db: Queryable): Promise<Installation> {
  const rows = await db.query<{ id: string; last_published: string }>(
    'read-installation',
    'SELECT id, last_published FROM installation',
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the database has no installation row');
  return { id: row.id, lastPublished: Number(row.last_published) };
}

export async function advanceInstallation(tx: Queryable, lastPublished: number): Promise<void> {
  await tx.query('advance-installation', 'UPDATE installation SET last_published = $1', [lastPublished]);
}
