import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RedisUrlProblem, parseRedisUrl } from '@glovebox/platform/values/redis-url';

import { type Child, spawnChild } from './child.ts';
import type { Program } from './debian-program.ts';
import { createStateDirectory, stateDirectory } from './places.ts';
import { freePort } from './ports.ts';
import { StartProblem } from './problem.ts';
import { realServer, substitute } from './redis-command.ts';
import { pingRedis, waitForRedis } from './redis-connection.ts';
import { type RedisSource, findRedisServer, versionOf } from './redis-server.ts';

export interface RedisOptions {
  /** A server that runs already, and is used as it is. Default: none. */
  readonly redisUrl?: string | undefined;
  /** Disposable data: a temporary directory, nothing on disk. */
  readonly ephemeral?: boolean;
  /** Where the data lives. Required unless `ephemeral`. */
  readonly dataDir?: string;
  /** Default: a random one. */
  readonly password?: string;
  /** On 127.0.0.1. Default: a free one. */
  readonly port?: number;
  readonly logFile?: string;
  /** Where Debian's unpacked package is kept. Default: the state directory. */
  readonly stateDir?: string;
  /** Restricts where the server comes from. Default: PATH, else Debian's package, else the JavaScript substitute. */
  readonly source?: RedisSource;
  /** More lines of the configuration file of a real server. */
  readonly lines?: readonly string[];
  /** Ends fetching and waiting. */
  readonly signal?: AbortSignal;
}

export interface RunningRedis extends AsyncDisposable {
  /** For the terminal, e.g. `Redis 7.0.15 (of this machine)`. */
  readonly description: string;
  /** With its password. */
  readonly url: string;
  /** False for the JavaScript substitute: correct, slow, and empty after every start. */
  readonly isReal: boolean;
  /** Absent when the server is not ours. */
  readonly child?: Child;
  readonly dataDir?: string;
  stop(): Promise<void>;
}

/**
 * Starts a private Redis on TCP 127.0.0.1 with a password, or uses the given one.
 * @throws StartProblem when none can be had
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  if (options.redisUrl !== undefined && options.redisUrl !== '') return useGiven(options.redisUrl);
  const stateDir = options.stateDir ?? stateDirectory();
  createStateDirectory(stateDir);
  const server = await findRedisServer(stateDir, {
    only: options.source,
    signal: options.signal,
  });
  options.signal?.throwIfAborted();
  if (server === undefined && options.source !== undefined && options.source !== 'javascript') {
    throw new StartProblem(
      `there is no Redis from the source "${options.source}"`,
      'Install redis-server, or set REDIS_URL to a server of yours.',
    );
  }
  const ephemeral = options.ephemeral ?? false;
  const dataDir =
    options.dataDir ?? (ephemeral ? await mkdtemp(join(tmpdir(), 'glovebox-redis-')) : undefined);
  if (dataDir === undefined) throw new TypeError('startRedis needs a dataDir, or ephemeral: true');
  const temporary = ephemeral ? [dataDir] : [];
  try {
    return await startOwn(options, server, dataDir, temporary);
  } catch (error) {
    for (const path of temporary) await rm(path, { recursive: true, force: true });
    throw error;
  }
}

/** Undefined: none. Services look for the nodes of a cluster, and behind sentinels, themselves. */
async function problemOf(url: string): Promise<string | undefined> {
  try {
    return parseRedisUrl(url).kind === 'server' ? await pingRedis(url, 5_000) : undefined;
  } catch (error) {
    if (error instanceof RedisUrlProblem) return `it ${error.message}`;
    throw error;
  }
}

async function useGiven(url: string): Promise<RunningRedis> {
  const problem = await problemOf(url);
  if (problem !== undefined) {
    throw new StartProblem(
      `the Redis that REDIS_URL names can't be used: ${problem}`,
      'Is the server running, and are host, port and password right? Unset REDIS_URL to get a private server.',
    );
  }
  const stop = () => Promise.resolve();
  return { description: 'Redis of REDIS_URL', url, isReal: true, stop, [Symbol.asyncDispose]: stop };
}

async function startOwn(
  options: RedisOptions,
  server: Program | undefined,
  dataDir: string,
  temporary: readonly string[],
): Promise<RunningRedis> {
  const { password = randomBytes(16).toString('hex'), lines = [] } = options;
  const port = options.port ?? (await freePort());
  const url = `redis://:${password}@127.0.0.1:${port}`;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const logFile = options.logFile ?? (temporary.length > 0 ? join(dataDir, 'redis.log') : undefined);
  const child = await spawnChild({
    name: 'redis',
    ...(server === undefined
      ? substitute(port, password)
      : await realServer(server, { port, password, dataDir, ephemeral: temporary.length > 0, lines })),
    cwd: dataDir,
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
    rank: 1,
    temporary,
  });
  const stop = async () => {
    await child.stop();
    for (const path of temporary) await rm(path, { recursive: true, force: true });
  };
  const problem = await waitForRedis(
    url,
    60_000,
    () => child.hasExited() || options.signal?.aborted === true,
  );
  if (problem !== undefined) {
    const log = logFile === undefined ? '' : await readFile(logFile, 'utf8').catch(() => '');
    const lastLines = log.trimEnd().split('\n').slice(-5).join('\n    ');
    await stop();
    options.signal?.throwIfAborted();
    throw new StartProblem(
      `Redis ${child.hasExited() ? 'ended at once' : 'did not become ready'}: ${problem}${lastLines && `\n    ${lastLines}`}`,
      `Its data is in ${dataDir}: it holds nothing that can't be rebuilt, so moving it away is safe.`,
    );
  }
  const description =
    server === undefined
      ? 'a JavaScript substitute for Redis, for trying out only: slow, keeps nothing (install redis-server for the real one)'
      : `${await versionOf(server)} (${server.source})`;
  return {
    description,
    url,
    isReal: server !== undefined,
    child,
    dataDir,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
