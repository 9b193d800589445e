import { join } from 'node:path';

import { CommandError, exitCodes } from '@glovebox/platform/process/commands';

import type { DatabaseUrls } from './config.ts';
import { isEmpty } from './databases.ts';
import { type Manifest, backedUp, readManifest } from './manifest.ts';
import { runPostgresTool } from './postgres-tool.ts';

const options = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];

/**
 * Fills two empty databases, each of them wholly or not at all.
 *
 * @throws CommandError when the backup is not whole, a database is not empty, or pg_restore is missing, fails or is ended
 * by `signal`
 */
export async function restore(
  databases: DatabaseUrls,
  directory: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const manifest = await readManifest(directory);
  for (const name of backedUp) {
    if (await isEmpty(databases[name])) continue;
    const advice = 'Restore into new databases, then start the services with them. Nothing was restored.';
    throw new CommandError(exitCodes.data, `the database for ${name} is not empty\n${advice}`);
  }
  for (const name of backedUp) {
    const args = [...options, join(directory, manifest.databases[name].file)];
    await runPostgresTool({ tool: 'pg_restore', database: databases[name], args, signal });
    process.stderr.write(`${name} is restored\n`);
  }
  return manifest;
}
