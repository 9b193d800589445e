import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import type { Secret } from './secret.ts';

/** A number that all migrating processes of a database agree on (pg_advisory_lock). */
const lockKey = 7_239_041_118;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Brings a database up to date: runs the files `NNNN_name.sql` of a folder that have not run yet, in order, each in
 * a transaction of its own, under an advisory lock, so that services may start at the same time. Forward only.
 * Migrations of a newer version of the service are left alone: two neighbouring versions run side by side.
 * @throws Error when a migration that has run was changed since.
 * @returns the names of those that ran now.
 */
export async function migrate(url: Secret<string>, folder: string): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: url.reveal(), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    return await applyMissing(client, migrations);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const ran: string[] = [];
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      await apply(client, migration);
      ran.push(migration.name);
    } else if (checksum !== migration.checksum) {
      throw new Error(`migration ${migration.name} was changed after it had run on this database`);
    }
  }
  return ran;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
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
