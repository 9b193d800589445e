import { createHash } from 'node:crypto';

import { AppError } from '../errors/app-error.ts';
import { heldTransaction } from './held-transaction.ts';
import type { Postgres, Queryable, Transacting } from './postgres.ts';

/**
 * Does work once per scope, in a database that holds the data that the work changes and this table:
 *
 *     CREATE TABLE idempotency_record (
 *       scope bytea NOT NULL, tenant_id uuid NOT NULL, answer bytea, expires_at timestamptz NOT NULL,
 *       PRIMARY KEY (tenant_id, scope));
 *     CREATE INDEX idempotency_record_expires_at ON idempotency_record (expires_at);
 *
 * The record is written in the transaction of the work, so both commit or neither does. While the work runs, the
 * transaction holds an advisory lock, which ends with the connection: a process that dies leaves nothing to clear up.
 */
export interface IdempotentTransactionOptions<T> {
  /** Within the scope of the tenant. */
  readonly postgres: Transacting;
  /** From `scopeOf`. */
  readonly scope: Buffer;
  readonly tenantId: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly lifetimeMs: number;
  /** Does the work with a `Postgres` whose transactions are part of this one. */
  readonly work: (held: Postgres) => Promise<T>;
  /** What is stored of the result, sealed; null when it is too large. */
  readonly keep: (result: T) => Promise<Buffer | null>;
  /**
   * Runs the statements of the work that are outside of transactions, and commits them at once in any case. Its connections
   * must not be ones that transactions like this can hold, all of them, or these wait for each other. Absent: the statements
   * are part of this transaction.
   */
  readonly beside?: Queryable;
  /**
   * Whether the writes of the work last when it fails with this error, e.g. the record of a refusal. Default: they do
   * not.
   */
  readonly staysAfter?: (error: unknown) => boolean;
}

export type IdempotentOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Done before. Null: its answer was too large to be stored. */
  | { readonly kind: 'replay'; readonly answer: Buffer | null };

/** The scope of a key: equal parts give equal scopes. */
export function scopeOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Does the work, unless it was done in this scope within `lifetimeMs`. Work that fails is not recorded.
 * @throws AppError `conflict` while it runs elsewhere, and what `work` and `keep` throw
 */
export async function idempotentTransaction<T>(
  options: IdempotentTransactionOptions<T>,
): Promise<IdempotentOutcome<T>> {
  const { postgres, scope } = options;
  const outcome = await postgres.transaction(
    async (tx): Promise<IdempotentOutcome<T> | { readonly failure: unknown }> => {
      if (!(await tryLock(tx, scope))) throw new AppError('conflict', inFlight);
      const record = await findRecord(tx, options);
      if (record?.valid === true) return { kind: 'replay', answer: record.answer };
      if (record !== undefined) await removeRecord(tx, options);
      let result: T;
      try {
        result = await options.work(heldTransaction(tx, options.beside ?? tx));
      } catch (failure) {
        if (options.staysAfter?.(failure) === true) return { failure };
        throw failure;
      }
      await insertRecord(tx, options, await options.keep(result));
      return { kind: 'done', result };
    },
  );
  if ('failure' in outcome) throw outcome.failure;
  return outcome;
}

const inFlight = 'A request with this idempotency key is being processed.';

const batchSize = 1000;

/** Removes expired records and returns their number. Several processes may do so at the same time. */
export async function purgeRecords(db: Queryable, now: number): Promise<number> {
  for (let purged = 0; ;) {
    const rows = await db.query<{ count: number }>('purge-idempotency-records', purgeStatement, [
      new Date(now),
      batchSize,
    ]);
    const count = rows[0]?.count ?? 0;
    purged += count;
    if (count < batchSize) return purged;
  }
}

async function tryLock(tx: Queryable, scope: Buffer): Promise<boolean> {
  const rows = await tx.query<{ locked: boolean }>(
    'lock-idempotency-scope',
    'SELECT pg_try_advisory_xact_lock($1::bigint) AS locked',
    [scope.readBigInt64BE(0).toString()],
  );
  return rows[0]?.locked === true;
}

async function findRecord(
  tx: Queryable,
  { tenantId, scope, now }: Pick<IdempotentTransactionOptions<unknown>, 'tenantId' | 'scope' | 'now'>,
): Promise<FoundRecord | undefined> {
  const rows = await tx.query<FoundRecord>(
    'find-idempotency-record',
    `SELECT answer, expires_at > $3 AS valid FROM idempotency_record WHERE tenant_id = $1 AND scope = $2
      ORDER BY expires_at DESC LIMIT 1`,
    [tenantId, scope, new Date(now)],
  );
  return rows[0];
}

interface FoundRecord {
  readonly answer: Buffer | null;
  /** It has not expired. */
  readonly valid: boolean;
}

async function removeRecord(
  tx: Queryable,
  { tenantId, scope }: Pick<IdempotentTransactionOptions<unknown>, 'tenantId' | 'scope'>,
): Promise<void> {
  await tx.query(
    'remove-idempotency-record',
    'DELETE FROM idempotency_record WHERE tenant_id = $1 AND scope = $2',
    [tenantId, scope],
  );
}

/** The lock keeps others from the scope. No `ON CONFLICT`: a table in partitions by time has no unique index for it. */
async function insertRecord<T>(
  tx: Queryable,
  { scope, tenantId, now, lifetimeMs }: IdempotentTransactionOptions<T>,
  answer: Buffer | null,
): Promise<void> {
  await tx.query(
    'insert-idempotency-record',
    `INSERT INTO idempotency_record (scope, tenant_id, answer, expires_at) VALUES ($1, $2, $3, $4)`,
    [scope, tenantId, answer, new Date(now + lifetimeMs)],
  );
}

const purgeStatement = `
  WITH expired AS (
    SELECT tenant_id, scope FROM idempotency_record WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  removed AS (
    DELETE FROM idempotency_record USING expired 
     WHERE idempotency_record.tenant_id = expired.tenant_id AND idempotency_record.scope = expired.scope RETURNING 1)
  SELECT count(*)::integer AS count FROM removed`;
