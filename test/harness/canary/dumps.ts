import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import pg from 'pg';

/** Every row of every table, as text. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    parts.push(name, ...rows.map(({ row }) => row));
  }
  await client.end();
  return parts.join('\n');
}

export async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  const parts: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const members = type === 'zset' ? await redis.zrangeBuffer(key, '0', '-1') : [];
    const fields = type === 'hash' ? Object.entries(await redis.hgetallBuffer(key)).flat() : [];
    members.push(...fields.map((field) => Buffer.from(field)));
    const value = type === 'string' ? await redis.getBuffer(key) : await redis.dumpBuffer(key);
    parts.push(key, ...members.map((member) => member.toString('latin1')), value?.toString('latin1') ?? '');
  }
  redis.disconnect();
  return parts.join('\n');
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
