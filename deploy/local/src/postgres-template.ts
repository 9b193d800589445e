import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Account } from './account.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, initdbOptions } from './postgres-cluster.ts';

/** An empty cluster for disposable data. To copy it takes a tenth of the time that `initdb` needs. */
export interface ClusterTemplate {
  /** Of the superuser `postgres`, in every copy. */
  readonly password: string;
  /** Makes the cluster that a server can be started on. */
  readonly copyTo: (dataDir: string) => Promise<void>;
}

/**
 * The template of these binaries and this account, made when there is none yet.
 *
 * @param home where it is kept; the account can pass through it
 */
export async function clusterTemplate(
  home: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<ClusterTemplate> {
  const owner = account?.uid ?? process.getuid?.();
  const made = JSON.stringify([binaries.directory, initdbOptions(binaries.major, true), owner]);
  const key = createHash('sha256').update(made).digest('hex').slice(0, 16);
  const folder = join(home, `postgres-template-${key}`);
  if (!existsSync(folder)) await make(folder, binaries, account);
  const password = await readFile(join(folder, 'password'), 'utf8');
  const copyTo = async (dataDir: string) => {
    await promisify(execFile)('cp', ['-a', '--reflink=auto', join(folder, 'data'), dataDir]);
  };
  return { password, copyTo };
}

async function make(folder: string, binaries: PostgresBinaries, account: Account | undefined): Promise<void> {
  const draft = await mkdtemp(`${folder}.`);
  try {
    // The account passes through it.
    await chmod(draft, 0o711);
    const password = randomBytes(16).toString('hex');
    const dataDir = join(draft, 'data');
    await ensureCluster({ binaries, dataDir, password, account, ephemeral: true, temporary: [draft] });
    await writeFile(join(draft, 'password'), password, { mode: 0o600 });
    // Whole or not at all; and another process may have been faster.
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
