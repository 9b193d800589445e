import type { Queryable } from '@glovebox/platform/db/postgres';

/** A range of the audit log: the rows with `afterId` < id <= `lastId`. Large numbers of Postgres are strings. */
export interface SealedRange {
  /** From 1, without gaps. */
  readonly number: string;
  readonly afterId: string;
  readonly lastId: string;
  readonly rowCount: number;
  /** The time of its newest row, in microseconds since the epoch. */
  readonly newestAt: string;
  readonly rowsDigest: Buffer;
  /** Over what the digest of the rows is; 1 before revisions were recorded. */
  readonly format: number;
}

/** The predecessor of the first range. */
export const beginning = { number: '0', lastId: '0', digest: Buffer.alloc(0) };

export interface Seal extends SealedRange {
  readonly digest: Buffer;
  /** In microseconds since the epoch; null: not purged. */
  readonly purgedAt: string | null;
  readonly purgeDigest: Buffer | null;
}

/** A seal, and what the database now holds in its range. */
export interface FoundRange extends Seal {
  readonly foundCount: number;
  readonly foundDigest: Buffer;
}

const rowsOfRange = 5000;
const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const moment = (parameter: string) =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/**
 * The digest of a range, independent of settings. It is a part of the statement because a function in the database
 * could be replaced by a forged one.
 */
const contentOf = (afterId: string, lastId: string, format: string) => `(
  SELECT count(*)::integer AS row_count,
         sha256(coalesce(string_agg(sha256(convert_to(
           (CASE WHEN ${format} = 1 THEN ${firstColumns} ELSE ${everyColumn} END)::text, 'UTF8')),
           ''::bytea ORDER BY id), ''::bytea)) AS rows_digest
    FROM audit WHERE id > ${afterId} AND id <= ${lastId})`;

const firstColumns = `jsonb_build_array(id, ${micros('at')}, tenant_id, application_id, operation, token_id, outcome,
  reason, view, purpose, purpose_id, correlation_id)`;
/** A column that a later version adds is empty in older rows, so their digest stays. */
const everyColumn = `jsonb_strip_nulls(to_jsonb(audit) || jsonb_build_object('at', ${micros('at')}))`;

/** Of new seals. */
const currentFormat = 2;

/** One vault seals at a time; the lock lasts until the end of the transaction. */
export async function takeSealLock(tx: Queryable): Promise<boolean> {
  const rows = await tx.query<{ taken: boolean }>(
    'seal-lock',
    'SELECT pg_try_advisory_xact_lock(4712, 2) AS taken',
  );
  return rows[0]?.taken === true;
}

/** The last assigned id, whether its row is committed or not. */
export async function lastAuditId(db: Queryable): Promise<string> {
  const rows = await db.query<{ id: string }>(
    'audit-last-id',
    `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit', 'id')::regclass), 0) AS id`,
  );
  return rows[0]?.id ?? '0';
}

/** Transactions that may write to the audit log: each holds this lock before its rows get ids. */
export async function auditWriters(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ writer: string }>(
    'audit-writers',
    `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
      WHERE locktype = 'relation' AND relation = 'audit'::regclass AND mode = 'RowExclusiveLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ writer }) => writer);
}

export async function lastSeal(db: Queryable): Promise<Pick<Seal, 'number' | 'lastId' | 'digest'>> {
  const rows = await db.query<Pick<Seal, 'number' | 'lastId' | 'digest'>>(
    'seal-last',
    'SELECT number, last_id AS "lastId", digest FROM audit_seal ORDER BY number DESC LIMIT 1',
  );
  return rows[0] ?? beginning;
}

/** The next rows up to an id, all of one day, because purging removes whole ranges. Undefined: none. */
export async function nextRange(
  tx: Queryable,
  afterId: string,
  horizon: string,
): Promise<Omit<SealedRange, 'number'> | undefined> {
  const rows = await tx.query<Omit<SealedRange, 'number'>>(
    'seal-next-range',
    `WITH candidate AS MATERIALIZED (
       SELECT id, at, (at AT TIME ZONE 'UTC')::date AS day FROM audit WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3),
     another_day AS (
       SELECT min(id) AS id FROM candidate
        WHERE day <> (SELECT day FROM candidate ORDER BY id LIMIT 1)),
     range AS (
       SELECT max(candidate.id) AS last_id, max(at) AS newest_at FROM candidate, another_day
        WHERE another_day.id IS NULL OR candidate.id < another_day.id)
     SELECT $1::bigint AS "afterId", last_id AS "lastId", ${micros('newest_at')} AS "newestAt",
            found.row_count AS "rowCount", found.rows_digest AS "rowsDigest", ${currentFormat} AS format
       FROM range, LATERAL ${contentOf('$1', 'range.last_id', String(currentFormat))} AS found WHERE last_id IS NOT NULL`,
    [afterId, horizon, rowsOfRange],
  );
  return rows[0];
}

export async function insertSeal(tx: Queryable, range: SealedRange, digest: Buffer): Promise<void> {
  await tx.query(
    'seal-insert',
    `INSERT INTO audit_seal (number, after_id, last_id, row_count, newest_at, rows_digest, digest, format)
     VALUES ($1, $2, $3, $4, ${moment('$5')}, $6, $7, $8)`,
    [
      range.number,
      range.afterId,
      range.lastId,
      range.rowCount,
      range.newestAt,
      range.rowsDigest,
      digest,
      range.format,
    ],
  );
}

/** The oldest range whose rows are all older than a moment, and in the partition from before there were any. */
export async function oldestBefore(
  db: Queryable,
  before: Date,
): Promise<Pick<Seal, 'number' | 'digest'> | undefined> {
  const rows = await db.query<Pick<Seal, 'number' | 'digest'>>(
    'seal-oldest',
    `SELECT number, digest FROM audit_seal
      WHERE purged_at IS NULL AND newest_at < $1
        AND newest_at < (SELECT ends FROM audit_partitions() WHERE starts IS NULL)
      ORDER BY number LIMIT 1`,
    [before],
  );
  return rows[0];
}

/** Removes the rows of a range and stores the proof. */
export async function purgeRange(
  db: Queryable,
  number: string,
  purgedAt: string,
  proof: Buffer,
): Promise<void> {
  await db.query('seal-purge', `SELECT purge_sealed_audit($1, ${moment('$2')}, $3)`, [
    number,
    purgedAt,
    proof,
  ]);
}

/** One seal by its number. */
export async function readSeal(
  db: Queryable,
  number: string,
): Promise<Pick<Seal, 'number' | 'lastId' | 'digest'> | undefined> {
  const rows = await db.query<Pick<Seal, 'number' | 'lastId' | 'digest'>>(
    'seal-of',
    'SELECT number, last_id AS "lastId", digest FROM audit_seal WHERE number = $1',
    [number],
  );
  return rows[0];
}

/** The next ranges, each with the digest of its rows, from one snapshot. */
export function readRanges(db: Queryable, afterNumber: string, limit: number): Promise<FoundRange[]> {
  return db.query<FoundRange>(
    'seal-read',
    `SELECT number, after_id AS "afterId", last_id AS "lastId", s.row_count AS "rowCount",
            ${micros('newest_at')} AS "newestAt", s.rows_digest AS "rowsDigest", digest, format,
            ${micros('purged_at')} AS "purgedAt", purge_digest AS "purgeDigest",
            found.row_count AS "foundCount", found.rows_digest AS "foundDigest"
       FROM (SELECT * FROM audit_seal WHERE number > $1 ORDER BY number LIMIT $2) AS s,
            LATERAL ${contentOf('s.after_id', 's.last_id', 's.format')} AS found
      ORDER BY number`,
    [afterNumber, limit],
  );
}

/** Rows in no range: before the first (there should be none), and after the last. */
export async function countOutside(
  db: Queryable,
  lastId: string,
): Promise<{ readonly before: number; readonly after: number }> {
  const rows = await db.query<{ before: string; after: string }>(
    'seal-outside',
    `SELECT (SELECT count(*) FROM audit WHERE id <= 0) AS before,
            (SELECT count(*) FROM audit WHERE id > $1) AS after`,
    [lastId],
  );
  return { before: Number(rows[0]?.before), after: Number(rows[0]?.after) };
}
