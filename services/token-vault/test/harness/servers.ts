import { randomBytes } from 'node:crypto';

import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import pg from 'pg';

import { MigratedDatabases } from '../../../../test/harness/migrated-databases.ts';
import { schema } from '../../src/store/migrations.ts';

let postgres: Promise<RunningPostgres> | undefined;
let migrated: MigratedDatabases | undefined;
let redis: Promise<RunningRedis> | undefined;

/** One real server of each kind for all tests of the run, started when first needed. */
export function sharedPostgres(): Promise<RunningPostgres> {
  postgres ??= startPostgres({ databaseUrl: process.env['DATABASE_URL'], ephemeral: true });
  return postgres;
}

export function sharedRedis(): Promise<RunningRedis> {
  redis ??= startRedis({ redisUrl: process.env['REDIS_URL'], ephemeral: true });
  return redis;
}

/** An empty database of its own. */
export async function createDatabase(): Promise<string> {
  const server = await sharedPostgres();
  const name = `vault_${randomBytes(6).toString('hex')}`;
  await withClient(server.adminUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return server.url(name);
}

/** A database of its own that is up to date and holds nothing: by the superuser, and by the role of a vault. */
export async function createMigratedDatabase(): Promise<{ adminUrl: string; serviceUrl: string }> {
  const server = await sharedPostgres();
  migrated ??= new MigratedDatabases(server, schema);
  const name = `vault_${randomBytes(6).toString('hex')}`;
  const serviceUrl = await migrated.create(name);
  return { adminUrl: server.url(name), serviceUrl };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

after(async () => {
  await (await postgres)?.stop();
  await (await redis)?.stop();
});
