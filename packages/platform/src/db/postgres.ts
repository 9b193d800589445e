import pg from 'pg';

import { AppError } from '../errors/app-error.ts';
import { SpanKind, context, isSampled, withSpan } from '../telemetry/tracing.ts';
import type { Secret } from '../values/secret.ts';
import {
  type Scope,
  type ScopeStatement,
  ScopedQuery,
  beginWithin,
  noScope,
  pooledScope,
  preparedScope,
  prepareScopes,
  scopeAcrossTenants,
  scopeOfTenants,
} from './scoped-query.ts';

export interface PostgresOptions {
  readonly url: Secret<string>;
  /**
   * The same database without the pooler that `url` leads to, such as PgBouncer in transaction mode; absent or empty:
   * `url` leads to the server itself. Behind a pooler nothing may belong to a connection: no prepared statement, and no setting.
   */
  readonly directUrl?: Secret<string>;
  /** Settings of the server for all statements. */
  readonly settings?: Readonly<Record<string, string>>;
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
   * @param plan `generic`: one plan serves all values. Postgres may otherwise plan a statement on arrays anew each time,
   * because it takes them for longer than they are; that can cost more than the statement itself. Only a statement within
   * a scope heeds it, and one in a transaction does not.
   * @throws AppError `unavailable` when the server can't be reached, `deadline_exceeded` when it takes too long
   */
  query<Row extends object>(
    name: string,
    text: string,
    values?: readonly unknown[],
    plan?: 'generic',
  ): Promise<Row[]>;
  /**
   * Like `query`, for a statement that is used once: planned for these values, and not kept.
   * @param name of its kind, for traces
   */
  queryOnce<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs transactions too. */
export interface Transacting extends Queryable {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

/**
 * A database whose tables have row-level security: statements see rows only of the tenants in their scope. The scope
 * travels with the statement or the `BEGIN`, so it costs no round trip, and ends with the transaction.
 */
export interface TenantDatabase {
  forTenant(tenantId: string): Transacting;
  /** For a statement on rows of several tenants. */
  forTenants(tenantIds: readonly string[]): Transacting;
  /** For work on rows of all tenants. @param work its name, not empty */
  acrossTenants(work: string): Transacting;
  /** For tables that have no rows of tenants. Those that have seem empty. */
  readonly withoutTenant: Transacting;
}

/** Statements that name no scope see rows of no tenant. */
export interface Postgres extends Transacting, TenantDatabase, AsyncDisposable {
  /** Resolves when the server answers. */
  ping(): Promise<void>;
}

/** The pool waits for `onConnect`, which its types do not say. */
type PoolOptions = Omit<pg.PoolConfig, 'onConnect'> & {
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
};

/** Whether `url` leads to a pooler that gives connections to transactions. */
export const isPooled = ({ directUrl }: Pick<PostgresOptions, 'directUrl'>): boolean =>
  (directUrl?.reveal() ?? '') !== '';

/** The server itself, past any pooler. */
export const serverUrl = ({ url, directUrl }: Pick<PostgresOptions, 'url' | 'directUrl'>): Secret<string> =>
  directUrl === undefined || directUrl.reveal() === '' ? url : directUrl;

export function createPostgres(options: PostgresOptions): Postgres {
  const server = isPooled(options) ? pooled(options) : direct(options);
  const { pool } = server;
  pool.on('error', options.onError);
  const withoutTenant = within(server, undefined);
  return {
    ...withoutTenant,
    withoutTenant,
    forTenant: (tenantId) => within(server, scopeOfTenants([tenantId])),
    forTenants: (tenantIds) => within(server, scopeOfTenants(tenantIds)),
    acrossTenants: (work) => within(server, scopeAcrossTenants(work)),
    ping: async () => {
      await withoutTenant.query('ping', 'SELECT 1');
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** How statements reach the server. */
interface Server {
  readonly pool: pg.Pool;
  readonly scoping: ScopeStatement;
  /** What each transaction sets for itself. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether connections keep what they have prepared. */
  readonly prepares: boolean;
  /** Of statements that name none; undefined: they need none. */
  readonly unscoped: Scope | undefined;
}

function direct(options: PostgresOptions): Server {
  const own = {
    connectionString: withSettings(options.url.reveal(), options.settings ?? {}),
    statement_timeout: options.statementTimeoutMs,
    onConnect: prepareScopes,
  };
  const pool = new pg.Pool({ ...poolOptions(options), ...own } satisfies PoolOptions);
  return { pool, scoping: preparedScope, settings: {}, prepares: true, unscoped: undefined };
}

/** Connections begin with the settings. */
function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  if (set.length === 0) return text;
  const url = new URL(text);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...set].join(' ').trim());
  return url.href;
}

function pooled(options: PostgresOptions): Server {
  const settings = { ...options.settings, statement_timeout: String(options.statementTimeoutMs) };
  const pool = new pg.Pool({ ...poolOptions(options), connectionString: options.url.reveal() });
  return { pool, scoping: pooledScope(settings), settings, prepares: false, unscoped: noScope };
}

const poolOptions = (options: PostgresOptions): pg.PoolConfig => ({
  max: options.maxConnections,
  connectionTimeoutMillis: options.connectTimeoutMs,
  query_timeout: options.statementTimeoutMs + 1000,
  application_name: options.applicationName,
  keepAlive: true,
});

function within(server: Server, scope: Scope | undefined): Transacting {
  return {
    ...queryableOf(server, server.pool, scope ?? server.unscoped),
    transaction: (work) => transaction(server, scope, work),
  };
}

function queryableOf(server: Server, target: pg.Pool | pg.PoolClient, scope: Scope | undefined): Queryable {
  return {
    query(name, text, given = [], plan) {
      const values = [...given];
      const query = server.prepares ? { name, text, values } : { text, values };
      return run(server, target, scope, name, query, plan);
    },
    queryOnce: (name, text, values) =>
      run(server, target, scope, name, { text, values: [...(values ?? [])] }),
  };
}

async function run<Row extends object>(
  { scoping }: Server,
  target: pg.Pool | pg.PoolClient,
  scope: Scope | undefined,
  summary: string,
  query: pg.QueryConfig<unknown[]>,
  plan?: 'generic',
): Promise<Row[]> {
  const send = async () => {
    try {
      if (scope === undefined) return (await target.query<Row>(query)).rows;
      return await ask<Row>(target, new ScopedQuery(query, scope, plan, scoping));
    } catch (error) {
      throw translate(error);
    }
  };
  const parent = context.active();
  if (!isSampled(parent)) return send();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return withSpan(`postgres ${summary}`, { kind: SpanKind.CLIENT, attributes }, parent, send);
}

/** A pool and a client give a promise only for a query that they make themselves. */
function ask<Row extends object>(target: pg.Pool | pg.PoolClient, query: ScopedQuery): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | undefined, result: pg.QueryResult<Row>) => {
      if (error) reject(error);
      else resolve(result.rows);
    };
    (target.query as (query: ScopedQuery, callback: typeof answer) => void).call(target, query, answer);
  });
}

async function transaction<T>(
  server: Server,
  scope: Scope | undefined,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await server.pool.connect().catch((error: unknown) => {
    throw translate(error);
  });
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await begin(server, client, scope);
    const result = await work(queryableOf(server, client, undefined));
    await queryableOf(server, client, undefined).query('commit', 'COMMIT');
    return result;
  } catch (error) {
    // A server that does not answer would not answer this either. Closing the connection rolls back as well.
    if (error instanceof AppError && error.code === 'unavailable') broken ??= error;
    else {
      await queryableOf(server, client, undefined)
        .query('rollback', 'ROLLBACK')
        .catch((failure: unknown) => {
          broken ??= failure as Error;
        });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Within a scope it is not prepared: the text holds the scope. */
async function begin(server: Server, client: pg.PoolClient, scope: Scope | undefined): Promise<void> {
  const within = scope ?? server.unscoped;
  if (within === undefined) await queryableOf(server, client, undefined).query('begin', 'BEGIN');
  else await run(server, client, undefined, 'begin', { text: beginWithin(within, server.settings) });
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
