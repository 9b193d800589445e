import { chmod, chown, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Account } from './account.ts';
import { spawnChild } from './child.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { StartProblem } from './problem.ts';

export interface ClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly password: string;
  readonly account: Account | undefined;
  /** Does not wait for the disk; for disposable data. */
  readonly ephemeral: boolean;
  /** Removed if this process dies meanwhile. */
  readonly temporary: readonly string[];
}

/**
 * Makes the data directory a Postgres cluster, unless it is one already.
 *
 * @returns whether it was made now
 * @throws StartProblem when the directory holds something else, or a cluster of another major version
 */
export async function ensureCluster(options: ClusterOptions): Promise<boolean> {
  const { dataDir, binaries } = options;
  const found = await readdir(dataDir).catch(() => []);
  if (found.length === 0) {
    await createCluster(options);
    return true;
  }
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new StartProblem(
      `${dataDir} is not empty and not a Postgres data directory`,
      'Move it away, and a new one is made in its place.',
    );
  }
  if (Number.parseInt(version, 10) !== binaries.major) {
    throw new StartProblem(
      `${dataDir} was written by Postgres ${version.trim()}, but Postgres ${binaries.major} is what would run on it`,
      `Move it away to start empty, or run Postgres ${version.trim()} on it yourself and set DATABASE_URL.`,
    );
  }
  return false;
}

async function createCluster(options: ClusterOptions): Promise<void> {
  // Made beside and then renamed: an interrupted start leaves no half-made data directory to stumble over.
  const draft = `${options.dataDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const passwordFile = join(draft, 'password');
  const cluster = join(draft, 'data');
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (options.account !== undefined) {
    const { uid, gid } = options.account;
    await chown(draft, uid, gid);
    await chown(passwordFile, uid, gid);
  }
  await runInitdb(options, draft, cluster, passwordFile);
  await rm(passwordFile);
  await rm(options.dataDir, { recursive: true, force: true });
  await rename(cluster, options.dataDir);
  await rm(draft, { recursive: true });
  await chmod(options.dataDir, 0o700);
}

async function runInitdb(
  options: ClusterOptions,
  draft: string,
  cluster: string,
  passwordFile: string,
): Promise<void> {
  const { binaries, account, ephemeral } = options;
  const logFile = join(draft, 'initdb.log');
  const initdb = await spawnChild({
    name: 'initdb',
    command: join(binaries.directory, 'initdb'),
    args: [`--pgdata=${cluster}`, `--pwfile=${passwordFile}`, ...initdbOptions(binaries.major, ephemeral)],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    account,
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: 1_000,
    rank: 1,
    temporary: [draft, ...options.temporary],
  });
  const { code, signal } = await initdb.exited;
  if (code === 0) return;
  const log = await readFile(logFile, 'utf8').catch(() => '');
  throw new StartProblem(
    `Postgres could not create its data directory ${options.dataDir} (${signal ?? `exit ${code}`}):\n${log.trim()}`,
    'Is the disk full, or the directory not writable?',
  );
}

/** What a new cluster is like, but for its place and its password. */
export function initdbOptions(major: number, ephemeral: boolean): string[] {
  // Nobody guesses a random password, so that there is nothing to slow down; a crash of the machine ends the tests too.
  const settings = ['scram_iterations=1', 'fsync=off', 'full_page_writes=off'];
  return [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-instructions',
    ...(ephemeral ? ['--no-sync'] : []),
    ...(ephemeral && major >= 16 ? settings.map((setting) => `--set=${setting}`) : []),
    ...(major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']),
  ];
}
