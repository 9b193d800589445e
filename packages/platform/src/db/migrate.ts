import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import { codeOf } from '../errors/code-of.ts';
import { PreconditionError } from '../process/preconditions.ts';
import type { Secret } from '../values/secret.ts';
import { type Rights, grantRights } from './rights.ts';

/** All migrating processes of a database use this number (pg_advisory_lock). */
const lockKey = 7_239_041_118;
const lockPauseMs = 100;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** By which roles a database is migrated and used. */
export interface MigrationRoles {
  /** The role of the service. */
  readonly databaseUrl: Secret<string>;
  /** The same without a pooler, which has no sessions to hold a lock; empty: there is none. */
  readonly directUrl: Secret<string>;
  /** The role that owns the tables; empty: that of the service. */
  readonly migrationUrl: Secret<string>;
}

export interface Schema {
  /** With the files `NNNN_name.sql`. */
  readonly folder: string;
  readonly rights: Rights;
}

/** `migrate`, as the role that owns the tables, and for the role of the service. */
export function migrateFor(
  { databaseUrl, directUrl, migrationUrl }: MigrationRoles,
  { folder, rights }: Schema,
): Promise<readonly string[]> {
  if (migrationUrl.reveal() === '')
    return migrate(directUrl.reveal() === '' ? databaseUrl : directUrl, folder);
  return migrate(migrationUrl, folder, { role: roleOf(databaseUrl), rights });
}

const roleOf = (url: Secret<string>) => new pg.Client({ connectionString: url.reveal() }).user ?? '';

/**
 * Brings a database up to date: runs the files `NNNN_name.sql` of a folder that have not run yet, in order, each in
 * its own transaction, under an advisory lock, so that services may start at the same time. Forward only. A file that
 * starts with `-- no transaction` runs statement by statement, each of which may have run before. A migration whose
 * tables are in use, e.g. by a backup, is retried until they are free, and blocks nobody meanwhile. Migrations of a
 * newer version of the service stay: two neighbouring versions run side by side. A role that does not own the tables
 * changes nothing: all migrations must have run.
 * @param grant the role that gets rights afterwards
 * @throws PreconditionError, with nothing changed, when the database cannot be reached or used, holds tables of
 * something else, or ran a migration whose text has changed
 * @returns the names of the migrations that ran
 */
export async function migrate(
  url: Secret<string>,
  folder: string,
  grant?: { readonly role: string; readonly rights: Rights },
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A broken connection fails the running query, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await isForeign(client)) {
      requireAll(migrations, await readApplied(client, migrations));
      return [];
    }
    await lock(client);
    const applied = await readApplied(client, migrations);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const ran = await applyMissing(client, migrations, applied);
    if (grant !== undefined) await grantRights(client, grant.role, grant.rights, ran.length > 0);
    return ran;
  } catch (error) {
    if (error instanceof PreconditionError) throw error;
    const code = codeOf(error) ?? 'no code';
    throw new PreconditionError(`the database cannot be used (${code})`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The tables are there, and belong to a role that this one is not a member of. */
async function isForeign(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_class WHERE oid = to_regclass('schema_migrations') AND NOT pg_has_role(relowner, 'USAGE')`,
  );
  return rows.length > 0;
}

function requireAll(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const missing = migrations.find(({ name }) => !applied.has(name));
  if (missing === undefined) return;
  throw new PreconditionError(
    `migration ${missing.name} has not run: the role that owns the tables has to run it (MIGRATION_DATABASE_URL)`,
  );
}

/** Polled: a statement that waits holds a snapshot, for which CREATE INDEX CONCURRENTLY waits. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      lockKey,
    ]);
    if (rows[0]?.locked === true) return;
    await pause(lockPauseMs);
  }
}

/** Names and checksums of the migrations that have run. @throws PreconditionError when they are not this service's */
async function readApplied(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, string>> {
  const tables = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e')`,
  );
  if (tables.rows.length === 0) return new Map();
  if (!tables.rows.some(({ name }) => name === 'schema_migrations')) {
    throw new PreconditionError('the database has tables of another program');
  }
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migrations ORDER BY name',
  );
  const known = new Set(migrations.map(({ name }) => name));
  const last = migrations.at(-1)?.name ?? '';
  const foreign = rows.find(({ name }) => !known.has(name) && numberOf(name) <= numberOf(last));
  if (foreign !== undefined) {
    throw new PreconditionError(
      `the database belongs to another program: its migrations include ${foreign.name}`,
    );
  }
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

const numberOf = (name: string) => name.slice(0, 4);

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      await apply(client, migration);
      ran.push(migration.name);
    } else if (checksum !== migration.checksum) {
      throw new PreconditionError(
        `migration ${migration.name} was changed after it had run on this database`,
      );
    }
  }
  return ran;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  try {
    if (sql.startsWith('-- no transaction')) {
      for (const statement of sql.split(/;\s*$/m).filter((text) => text.trim() !== ''))
        await client.query(statement);
      await note(client, migration);
    } else {
      while (!(await applyAtOnce(client, migration))) await pause(busyPauseMs);
    }
  } catch (error) {
    const code = codeOf(error) ?? 'no code';
    throw new PreconditionError(`migration ${name} failed (${code})`, { cause: error });
  }
}

/**
 * A session that waits for a table blocks all later ones, even readers: behind a backup that would be hours. So this
 * waits for a moment only, and lets the others go first before it retries.
 */
const lockTimeoutMs = 1000;
const busyPauseMs = 2000;
const lockNotAvailable = '55P03';

/** In one transaction. @returns false when a table is in use */
async function applyAtOnce(client: pg.Client, migration: Migration): Promise<boolean> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.sql);
    await note(client, migration);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false;
    throw error;
  }
}

async function note(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new Error(`${name} is not named NNNN_name.sql`);
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
