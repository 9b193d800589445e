import pg from 'pg';

import { AppError } from '../errors/app-error.ts';
import { SpanKind, context, isSampled, withSpan } from '../telemetry/tracing.ts';
import type { Secret } from '../values/secret.ts';

export interface PostgresOptions {
  readonly url: Secret<string>;
  /** Most connections of this process. */
  readonly maxConnections: number;
  /** The server ends statements that take longer. */
  readonly statementTimeoutMs: number;
  /** How long a caller waits for a connection. */
  readonly connectTimeoutMs: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called when an idle connection breaks. */
  readonly onError: (error: Error) => void;
}

/** Runs statements: the pool, or the connection of a transaction. */
export interface Queryable {
  /**
   * Runs one statement, prepared under `name`, and returns its rows.
   * @throws AppError `unavailable` when the server can't be reached, `deadline_exceeded` when it takes too long
   */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Like `query`, for a statement that is used once: planned for these values, and not kept.
   * @param name of its kind, for traces
   */
  queryOnce<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Postgres extends Queryable, AsyncDisposable {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
}

export function createPostgres(options: PostgresOptions): Postgres {
  const pool = new pg.Pool({
    connectionString: options.url.reveal(),
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1000,
    application_name: options.applicationName,
    keepAlive: true,
  });
  pool.on('error', options.onError);
  return {
    ...queryableOf(pool),
    transaction: (work) => transaction(pool, work),
    ping: async () => {
      await run(pool, 'ping', 'SELECT 1');
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function queryableOf(target: pg.Pool | pg.PoolClient): Queryable {
  return {
    query: (name, text, values) => run(target, name, text, values),
    queryOnce: (name, text, values) => run(target, name, text, values, false),
  };
}

async function run<Row extends object>(
  target: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  values: readonly unknown[] = [],
  prepared = true,
): Promise<Row[]> {
  const send = async () => {
    try {
      const query = { text, values: [...values] };
      return (await target.query<Row>(prepared ? { name, ...query } : query)).rows;
    } catch (error) {
      throw translate(error);
    }
  };
  const parent = context.active();
  if (!isSampled(parent)) return send();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return withSpan(`postgres ${name}`, { kind: SpanKind.CLIENT, attributes }, parent, send);
}

async function transaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translate(error);
  });
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await run(client, 'begin', 'BEGIN');
    const result = await work(queryableOf(client));
    await run(client, 'commit', 'COMMIT');
    return result;
  } catch (error) {
    // A server that does not answer would not answer this either. Closing the connection rolls back as well.
    if (error instanceof AppError && error.code === 'unavailable') broken ??= error;
    else {
      await run(client, 'rollback', 'ROLLBACK').catch((failure: unknown) => {
        broken ??= failure as Error;
      });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** SQLSTATE of a constraint or other server error (PostgreSQL manual, appendix A), when `error` carries one. */
export function sqlStateOf(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}

/** Name of the violated constraint. */
export function constraintOf(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.constraint : undefined;
}

const queryCancelled = '57014';

function translate(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return new AppError('unavailable', 'The database cannot be reached.', { cause: error });
  }
  if (error.code === queryCancelled) {
    return new AppError('deadline_exceeded', 'The database took too long.', { cause: error });
  }
  const state = error.code ?? '';
  // 08 connection, 53 resources, 57P shutdown, 25006 no primary any more: the statement may succeed elsewhere or later.
  if (/^(08|53|57P|25006$)/.test(state)) {
    return new AppError('unavailable', 'The database cannot be reached.', { cause: error });
  }
  return new AppError('internal', 'The request could not be completed.', { cause: error });
}
