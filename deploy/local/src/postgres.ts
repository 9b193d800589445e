import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type Account, postgresAccount } from './account.ts';
import { type Child, spawnChild } from './child.ts';
import { createStateDirectory, reachableDirectory, stateDirectory } from './places.ts';
import { freePort } from './ports.ts';
import { type PostgresBinaries, type PostgresSource, findPostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { waitForPostgres, withDatabase } from './postgres-connection.ts';
import { type PostgresPlace, choosePlace } from './postgres-place.ts';
import { serverSettings } from './postgres-settings.ts';
import { clusterTemplate } from './postgres-template.ts';
import { StartProblem } from './problem.ts';

export interface PostgresOptions {
  /** A server that runs already, and is used as it is. Default: none. */
  readonly databaseUrl?: string | undefined;
  /** Disposable data: a temporary directory, no waiting for the disk. */
  readonly ephemeral?: boolean;
  /** Where the data lives. Required unless `ephemeral`. */
  readonly dataDir?: string;
  /** Of the superuser `postgres`. Default: a random one. A data directory keeps its first. */
  readonly password?: string;
  /** On 127.0.0.1. Default: a free one. */
  readonly port?: number;
  readonly logFile?: string;
  /** Where a copy of npm's binaries is kept. Default: the state directory. */
  readonly stateDir?: string;
  /** Restricts where the binaries come from. Default: npm's, else the machine's. */
  readonly source?: PostgresSource;
  /** Ends waiting for the server. */
  readonly signal?: AbortSignal;
}

export interface RunningPostgres extends AsyncDisposable {
  /** For the terminal, e.g. `Postgres 18 (embedded)`. */
  readonly description: string;
  /** Superuser of our own server; whatever DATABASE_URL names otherwise. */
  readonly adminUrl: string;
  /** The same credentials on another database. */
  url(database: string): string;
  /** Absent when the server is not ours. */
  readonly child?: Child;
  readonly dataDir?: string;
  /** Ends our own server: running transactions are rolled back, the data is flushed. */
  stop(): Promise<void>;
}

/**
 * Starts a private Postgres on TCP 127.0.0.1 with password authentication, or uses the given one.
 * @throws StartProblem when none can be had
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== '') return useGiven(options.databaseUrl);
  const account = postgresAccount(options.dataDir);
  const stateDir = options.stateDir ?? stateDirectory();
  createStateDirectory(stateDir);
  const home = reachableDirectory(stateDir, account);
  const binaries = await findPostgresBinaries(home, options.source);
  const place = await choosePlace(options, account);
  try {
    if (place.temporary === undefined || options.dataDir !== undefined || options.password !== undefined) {
      return await startOwn(options, binaries, account, place);
    }
    const { password, copyTo } = await clusterTemplate(home, binaries, account);
    await copyTo(place.dataDir);
    return await startOwn({ ...options, password }, binaries, account, place);
  } catch (error) {
    if (place.temporary !== undefined) await rm(place.temporary, { recursive: true, force: true });
    throw error;
  }
}

async function useGiven(databaseUrl: string): Promise<RunningPostgres> {
  const error = await waitForPostgres(databaseUrl, 5_000);
  if (error !== undefined) {
    throw new StartProblem(
      `the Postgres that DATABASE_URL names can't be used: ${error.message}`,
      'Is the server running, and are host, port, user and password right? Unset DATABASE_URL to get a private server.',
      { cause: error },
    );
  }
  const stop = () => Promise.resolve();
  return {
    description: 'Postgres of DATABASE_URL',
    adminUrl: databaseUrl,
    url: (database) => withDatabase(databaseUrl, database),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function startOwn(
  options: PostgresOptions,
  binaries: PostgresBinaries,
  account: Account | undefined,
  { dataDir, logFile, temporary }: PostgresPlace,
): Promise<RunningPostgres> {
  const ephemeral = options.ephemeral ?? false;
  const password = options.password ?? randomBytes(16).toString('hex');
  const port = options.port ?? (await freePort());
  const removed = temporary === undefined ? [] : [temporary];
  await ensureCluster({ binaries, dataDir, password, account, ephemeral, temporary: removed });
  const child = await spawnChild({
    name: 'postgres',
    command: join(binaries.directory, 'postgres'),
    args: ['-D', dataDir, ...serverSettings(port, ephemeral)],
    env: { PATH: '/usr/bin:/bin', HOME: dirname(dataDir), TZ: 'UTC' },
    account,
    logFile,
    // Fast shutdown: clients are disconnected, a checkpoint is written.
    stopSignal: 'SIGINT',
    graceMs: 15_000,
    rank: 1,
    temporary: removed,
  });
  const stop = async () => {
    await child.stop();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const error = await waitForPostgres(
    adminUrl,
    60_000,
    () => child.hasExited() || options.signal?.aborted === true,
  );
  if (error !== undefined) {
    const problem = await explain(error, dataDir, logFile, child.hasExited());
    await stop();
    options.signal?.throwIfAborted();
    throw problem;
  }
  return {
    description: `Postgres ${binaries.major} (${binaries.source === 'embedded' ? 'from npm' : 'of this machine'})`,
    adminUrl,
    url: (database) => withDatabase(adminUrl, database),
    child,
    dataDir,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function explain(
  error: Error,
  dataDir: string,
  logFile: string | undefined,
  exited: boolean,
): Promise<StartProblem> {
  if ('code' in error && error.code === '28P01') {
    return new StartProblem(
      `the data in ${dataDir} belongs to another installation: its password is not the one kept here`,
      'Bring back the .glovebox/local.json that belongs to it, or move it away to start empty.',
    );
  }
  const log = logFile === undefined ? '' : await readFile(logFile, 'utf8').catch(() => '');
  const lastLines = log.trimEnd().split('\n').slice(-5).join('\n    ');
  return new StartProblem(
    `Postgres ${exited ? 'ended at once' : 'did not become ready'}: ${error.message}${lastLines && `\n    ${lastLines}`}`,
    logFile === undefined ? `Its data is in ${dataDir}.` : `Its log is ${logFile}.`,
    { cause: error },
  );
}
