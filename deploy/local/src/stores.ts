import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { postgresAccount } from './account.ts';
import { prepareDatabases } from './databases.ts';
import { reachableDirectory, systemDirectory } from './places.ts';
import { startPostgres } from './postgres.ts';
import type { Progress } from './progress.ts';
import { startRedis } from './redis.ts';
import type { System } from './service-env.ts';
import { type Settings, readSettings } from './settings.ts';
import type { StartOptions } from './start-options.ts';
import type { Supervisor } from './supervisor.ts';

export interface Stores {
  readonly databases: { readonly control: string; readonly vault: string };
  readonly migrationDatabases: System['migrationDatabases'];
  readonly redisUrl: string;
  /** For the ready block. */
  readonly descriptions: readonly string[];
  readonly dataDirs: readonly string[];
}

export interface StoreContext {
  readonly options: StartOptions;
  readonly settings: Settings;
  readonly supervisor: Supervisor;
  readonly progress: Progress;
  readonly logFiles: Readonly<Record<'postgres' | 'redis', string>>;
  readonly signal: AbortSignal;
}

/** Starts Postgres and Redis concurrently, or uses the given ones. */
export async function startStores(context: StoreContext): Promise<Stores> {
  const { progress } = context;
  const [databases, redis] = await Promise.allSettled([startDatabases(context), startProjection(context)]);
  // Waits for the other one too, so that the supervisor can stop it, and its problem is reported as well.
  if (databases.status === 'rejected') {
    if (redis.status === 'rejected') progress.problem(String(redis.reason));
    throw databases.reason;
  }
  if (redis.status === 'rejected') throw redis.reason;
  return {
    databases: databases.value.urls,
    migrationDatabases: databases.value.migrationUrls,
    redisUrl: redis.value.url,
    descriptions: [databases.value.description, redis.value.description],
    dataDirs: [...databases.value.dataDirs, ...redis.value.dataDirs],
  };
}

interface Databases {
  readonly urls: Stores['databases'];
  readonly migrationUrls: Stores['migrationDatabases'];
  readonly description: string;
  readonly dataDirs: readonly string[];
}

async function startDatabases(context: StoreContext): Promise<Databases> {
  const { options, settings, supervisor, progress, signal } = context;
  if (options.databaseUrls !== undefined) {
    const description = 'Postgres of CONTROL_DATABASE_URL and VAULT_DATABASE_URL';
    return { urls: options.databaseUrls, migrationUrls: undefined, description, dataDirs: [] };
  }
  const given = options.databaseUrl;
  const dataDir = given === undefined ? postgresDataDirectory(options.stateDir, settings, progress) : '';
  const start = () =>
    startPostgres({
      databaseUrl: given,
      dataDir,
      password: settings.postgresPassword,
      port: settings.ports.postgres,
      logFile: context.logFiles.postgres,
      stateDir: options.stateDir,
      signal,
    });
  const run = async () => {
    const first = await start();
    if (first.child !== undefined) await supervisor.keep('postgres', childOf(first, start));
    const { control, vault } = settings.databasePasswords;
    const prepared = await prepareDatabases({
      adminUrl: first.adminUrl,
      passwords: { control, vault },
      isPrivate: given === undefined,
    });
    return { first, prepared };
  };
  const { first, prepared } = await progress.step('database', run, (result) => result.first.description);
  if (!prepared.separated) {
    progress.problem('the user of DATABASE_URL may not create roles: all services share its credentials');
  }
  return {
    urls: prepared.serviceUrls as Stores['databases'],
    migrationUrls: prepared.urls as Stores['databases'],
    description: first.description,
    dataDirs: given === undefined ? [dataDir] : [],
  };
}

async function startProjection(
  context: StoreContext,
): Promise<{ url: string; description: string; dataDirs: readonly string[] }> {
  const { options, settings, supervisor, progress, signal } = context;
  const dataDir = join(options.stateDir, 'redis');
  const start = () =>
    startRedis({
      redisUrl: options.redisUrl,
      dataDir,
      password: settings.redisPassword,
      port: settings.ports.redis,
      logFile: context.logFiles.redis,
      stateDir: options.stateDir,
      signal,
    });
  const run = async () => {
    const first = await start();
    if (first.child !== undefined) await supervisor.keep('redis', childOf(first, start));
    return first;
  };
  const redis = await progress.step('cache and queue', run, ({ description }) => description);
  const { url, description } = redis;
  return { url, description, dataDirs: redis.child === undefined ? [] : [dataDir] };
}

interface Started {
  readonly child?: { readonly pid: number };
}

/** Returns the running child first, and starts new ones from then on. */
function childOf<T extends Started>(
  first: T,
  start: () => Promise<T>,
): () => Promise<NonNullable<T['child']>> {
  let ready: T | undefined = first;
  return async () => {
    const { child } = ready ?? (await start());
    ready = undefined;
    return child as NonNullable<T['child']>;
  };
}

/**
 * In the state directory; or, where the account that runs Postgres can't pass a 0700 home on the way to it, in a
 * directory of the system named after this installation.
 */
function postgresDataDirectory(stateDir: string, settings: Settings, progress: Progress): string {
  const inside = join(stateDir, 'postgres');
  if (reachableDirectory(stateDir, postgresAccount(inside)) === stateDir) return inside;
  const home = join(systemDirectory, settings.instance);
  mkdirSync(home, { recursive: true, mode: 0o711 });
  writeFileSync(join(home, 'belongs-to'), `${stateDir}\n`);
  for (const orphan of orphans())
    progress.note(`${orphan} is left from a checkout that is gone; it can be removed`);
  return join(home, 'postgres');
}

function orphans(): string[] {
  return readdirSync(systemDirectory).flatMap((instance) => {
    const home = join(systemDirectory, instance);
    const mark = join(home, 'belongs-to');
    if (!existsSync(mark)) return [];
    return isInstalled(readFileSync(mark, 'utf8').trim(), instance) ? [] : [home];
  });
}

function isInstalled(stateDir: string, instance: string): boolean {
  try {
    return readSettings(stateDir)?.instance === instance;
  } catch {
    return true;
  }
}
