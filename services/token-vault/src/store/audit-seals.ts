import type { Queryable } from '@glovebox/platform/db/postgres';

/** A range of the audit log: the rows with `afterId` < id <= `lastId`. Numbers of Postgres that may be large are text. */
export interface SealedRange {
  /** From 1, without a gap. */
  readonly number: string;
  readonly afterId: string;
  readonly lastId: string;
  readonly rowCount: number;
  /** Of its rows, in microseconds since the epoch. */
  readonly newestAt: string;
  readonly rowsDigest: Buffer;
}

/** What the first range follows. */
export const beginning = { number: '0', lastId: '0', digest: Buffer.alloc(0) };

export interface Seal extends SealedRange {
  readonly digest: Buffer;
  /** In microseconds since the epoch; null: its rows are there. */
  readonly purgedAt: string | null;
  readonly purgeDigest: Buffer | null;
}

/** A seal, and what is in its place now. */
export interface FoundRange extends Seal {
  readonly foundCount: number;
  readonly foundDigest: Buffer;
}

const rowsOfRange = 5000;
const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const moment = (parameter: string) =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/**
 * What a range holds: independent of settings, and the same for no two logs. Part of the statement, and no function of
 * the database, where it could be replaced by one that gives what is expected.
 */
const contentOf = (afterId: string, lastId: string) => `(
  SELECT count(*)::integer AS row_count,
         sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(
           id, ${micros('at')}, tenant_id, application_id, operation, token_id, outcome, reason, view, purpose,
           purpose_id, correlation_id)::text, 'UTF8')), ''::bytea ORDER BY id), ''::bytea)) AS rows_digest
    FROM audit WHERE id > ${afterId} AND id <= ${lastId})`;

/** One vault seals at a time; held until the end of the transaction. */
export async function takeSealLock(tx: Queryable): Promise<boolean> {
  const rows = await tx.query<{ taken: boolean }>(
    'seal-lock',
    'SELECT pg_try_advisory_xact_lock(4712, 2) AS taken',
  );
  return rows[0]?.taken === true;
}

/** The last id that was given to a row, whether or not that row is there yet. */
export async function lastAuditId(db: Queryable): Promise<string> {
  const rows = await db.query<{ id: string }>(
    'audit-last-id',
    `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit', 'id')::regclass), 0) AS id`,
  );
  return rows[0]?.id ?? '0';
}

/** Transactions that are about to write to the audit log: they hold this lock from before a row gets its id. */
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

/** The next rows up to an id, of one day, since that is by what they are removed. Undefined: there are none. */
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
            found.row_count AS "rowCount", found.rows_digest AS "rowsDigest"
       FROM range, LATERAL ${contentOf('$1', 'range.last_id')} AS found WHERE last_id IS NOT NULL`,
    [afterId, horizon, rowsOfRange],
  );
  return rows[0];
}

export async function insertSeal(tx: Queryable, range: SealedRange, digest: Buffer): Promise<void> {
  await tx.query(
    'seal-insert',
    `INSERT INTO audit_seal (number, after_id, last_id, row_count, newest_at, rows_digest, digest)
     VALUES ($1, $2, $3, $4, ${moment('$5')}, $6, $7)`,
    [range.number, range.afterId, range.lastId, range.rowCount, range.newestAt, range.rowsDigest, digest],
  );
}

/** The first range whose rows are all from before a moment. */
export async function oldestBefore(
  db: Queryable,
  before: Date,
): Promise<Pick<Seal, 'number' | 'digest'> | undefined> {
  const rows = await db.query<Pick<Seal, 'number' | 'digest'>>(
    'seal-oldest',
    `SELECT number, digest FROM audit_seal WHERE purged_at IS NULL AND newest_at < $1 ORDER BY number LIMIT 1`,
    [before],
  );
  return rows[0];
}

/** Removes a range's rows, and keeps the proof in their place. */
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

/** The ranges that follow, each with what a single look at the database finds in it. */
export function readRanges(db: Queryable, afterNumber: string, limit: number): Promise<FoundRange[]> {
  return db.query<FoundRange>(
    'seal-read',
    `SELECT number, after_id AS "afterId", last_id AS "lastId", s.row_count AS "rowCount",
            ${micros('newest_at')} AS "newestAt", s.rows_digest AS "rowsDigest", digest,
            ${micros('purged_at')} AS "purgedAt", purge_digest AS "purgeDigest",
            found.row_count AS "foundCount", found.rows_digest AS "foundDigest"
       FROM (SELECT * FROM audit_seal WHERE number > $1 ORDER BY number LIMIT $2) AS s,
            LATERAL ${contentOf('s.after_id', 's.last_id')} AS found
      ORDER BY number`,
    [afterNumber, limit],
  );
}

/** Rows that are in no range: those before the first, which can't be, and those that are not sealed yet. */
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
