import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client } from 'pg';

import {
  type DatabaseUrls,
  type Manifest,
  backedUp,
  hashOf,
  readManifest,
  writeManifest,
} from './backup-manifest.ts';
import { withConnection } from './postgres-connection.ts';
import { runPostgresTool } from './postgres-tool.ts';
import { StartProblem } from './problem.ts';

const sharedOptions = ['--no-owner', '--no-privileges'];

/**
 * Writes both databases to a new folder, beside running services.
 *
 * @throws StartProblem when it exists, or pg_dump is missing or fails
 */
export async function backUp(urls: DatabaseUrls, directory: string): Promise<Manifest> {
  await mkdir(directory, { mode: 0o700 }).catch((cause: unknown) => {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new StartProblem(`${directory} cannot be made (${why})`, 'A backup goes to a folder of its own.', {
      cause,
    });
  });
  try {
    return await writeBackup(urls, directory);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function writeBackup(urls: DatabaseUrls, directory: string): Promise<Manifest> {
  const databases: Record<string, { file: string; sha256: string }> = {};
  for (const name of backedUp) {
    const file = `${name}.dump`;
    const path = join(directory, file);
    await runPostgresTool('pg_dump', urls[name], ['--format', 'custom', ...sharedOptions, '--file', path]);
    databases[name] = { file, sha256: await hashOf(path) };
    process.stderr.write(`${name} is backed up\n`);
  }
  const manifest: Manifest = {
    format: 'glovebox-backup/1',
    created_at: new Date().toISOString(),
    databases: databases as Manifest['databases'],
    key_encryption_keys: await keysOf(urls.vault),
  };
  await writeManifest(directory, manifest);
  return manifest;
}

/**
 * Fills two empty databases.
 *
 * @throws StartProblem when the backup is not whole, a database is not empty, or pg_restore is missing or fails
 */
export async function restore(urls: DatabaseUrls, directory: string): Promise<Manifest> {
  const manifest = await readManifest(directory);
  for (const name of backedUp) {
    if (await isEmpty(urls[name])) continue;
    throw new StartProblem(
      `the database for ${name} is not empty`,
      'Restore into new databases, then start the services with them. Nothing was restored.',
    );
  }
  for (const name of backedUp) {
    const { file } = manifest.databases[name];
    const options = ['--exit-on-error', '--single-transaction', ...sharedOptions, join(directory, file)];
    await runPostgresTool('pg_restore', urls[name], options);
    process.stderr.write(`${name} is restored\n`);
  }
  return manifest;
}

function keysOf(vaultUrl: string): Promise<string[]> {
  return connected(vaultUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT DISTINCT key_id AS id FROM (SELECT key_id FROM tenant_key UNION SELECT key_id FROM audit_key) AS k ORDER BY 1',
    );
    return rows.map(({ id }) => id);
  });
}

function isEmpty(url: string): Promise<boolean> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname <> 'information_schema' AND nspname !~ '^pg_'`,
    );
    return rows[0]?.count === '0';
  });
}

async function connected<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await withConnection(url, use);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StartProblem(
      `a database cannot be used: ${why}`,
      'Is the server running, and is the URL right?',
      { cause },
    );
  }
}
