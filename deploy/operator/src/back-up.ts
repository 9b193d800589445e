import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { CommandError, exitCodes } from '@glovebox/platform/process/commands';

import type { DatabaseUrls } from './config.ts';
import { acrossTenants, keyEncryptionKeys } from './databases.ts';
import { type Manifest, backedUp, hashOf, writeManifest } from './manifest.ts';
import { runPostgresTool } from './postgres-tool.ts';

/**
 * A migration locks its tables, and a longer wait would block all later sessions. Without `--enable-row-security` a role
 * that may only read would be refused.
 */
const options = [
  '--format',
  'custom',
  '--no-owner',
  '--no-privileges',
  '--enable-row-security',
  '--lock-wait-timeout',
  '60s',
];

/**
 * Writes both databases to a new folder, beside running services. An incomplete backup is removed.
 * @throws CommandError when the folder exists, or pg_dump is missing, fails or is ended by `signal`
 */
export async function backUp(
  databases: DatabaseUrls,
  directory: string,
  signal: AbortSignal,
): Promise<Manifest> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const advice = 'A backup goes to a folder of its own.';
    throw new CommandError(exitCodes.unavailable, `${directory} cannot be made (${error.code})\n${advice}`);
  });
  try {
    return await writeBackup(databases, directory, signal);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function writeBackup(
  databases: DatabaseUrls,
  directory: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const written: Record<string, { file: string; sha256: string }> = {};
  for (const name of backedUp) {
    const file = `${name}.dump`;
    const path = join(directory, file);
    const args = [...options, '--file', path];
    await runPostgresTool({ tool: 'pg_dump', database: acrossTenants(databases[name]), args, signal });
    written[name] = { file, sha256: await hashOf(path) };
    process.stderr.write(`${name} is backed up\n`);
  }
  const manifest: Manifest = {
    format: 'glovebox-backup/1',
    created_at: new Date().toISOString(),
    databases: written as Manifest['databases'],
    key_encryption_keys: await keyEncryptionKeys(databases.vault),
  };
  await writeManifest(directory, manifest);
  process.stderr.write(`${directory} is written\n`);
  return manifest;
}
