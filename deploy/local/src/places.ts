import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Account, canReach, runsAsRoot } from './account.ts';

/** The folder that holds the repository's package.json. */
export const checkout = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The state directory: `.glovebox` in the checkout, or GLOVEBOX_STATE_DIR. */
export function stateDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(checkout, env['GLOVEBOX_STATE_DIR'] || '.glovebox');
}

/**
 * Creates the state directory. Other users may pass through it (Postgres, when it runs as one), not list it; secrets
 * in it have their own modes.
 */
export function createStateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o711 });
  if (runsAsRoot()) chmodSync(path, statSync(path).mode | 0o011);
}

/** Instead of the state directory for files of Postgres, when its account can't pass through a 0700 home. */
export const systemDirectory = '/var/lib/glovebox';

/** The state directory where the account can reach it, else a place of the system. */
export function reachableDirectory(stateDir: string, account: Account | undefined): string {
  if (account === undefined || canReach(account, stateDir)) return stateDir;
  mkdirSync(systemDirectory, { recursive: true, mode: 0o755 });
  return systemDirectory;
}

/** A place for temporary files that the account can reach. */
export function reachableTemporaryDirectory(account: Account | undefined): string {
  const preferred = tmpdir();
  return account === undefined || canReach(account, preferred) ? preferred : '/tmp';
}

export function logDirectory(stateDir: string): string {
  return join(stateDir, 'logs');
}
