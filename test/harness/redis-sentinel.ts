import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { spawnChild } from '@glovebox/local/child';
import type { Program } from '@glovebox/local/debian-program';
import { createStateDirectory, stateDirectory } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { waitForRedis } from '@glovebox/local/redis-connection';
import { findRedisServer } from '@glovebox/local/redis-server';
import { Redis } from 'ioredis';

import { until } from './until.ts';

export interface WatchedRedis extends AsyncDisposable {
  /** Names the sentinel, with its password, and the primary by its name. */
  readonly url: string;
  /** The one that was the primary to begin with, and its replica. */
  readonly servers: readonly [RunningRedis, RunningRedis];
  /** Ends a server at once, as a crash does. */
  kill(server: RunningRedis): Promise<void>;
  /** Has the killed primary come back, as a replica of the other one. */
  revive(): Promise<void>;
}

/** A primary with a replica, which a sentinel watches. Undefined where there is no real Redis. */
export async function startWatchedRedis(): Promise<WatchedRedis | undefined> {
  createStateDirectory(stateDirectory());
  const program = await findRedisServer(stateDirectory());
  if (program === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'glovebox-sentinel-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const password = randomBytes(16).toString('hex');
  const lines = [`masterauth ${password}`, 'repl-diskless-sync-delay 0'];
  const port = await freePort();
  const startFirst = (more: readonly string[] = []) =>
    startRedis({ dataDir: join(folder, 'first'), port, password, lines: [...lines, ...more] });
  const first = stack.use(await startFirst());
  const second = stack.use(
    await startRedis({
      dataDir: join(folder, 'second'),
      password,
      lines: [...lines, `replicaof 127.0.0.1 ${port}`],
    }),
  );
  await until('the replica follows', () => hasReplica(first.url));
  const sentinel = await startSentinel(program, folder, { port, password });
  stack.defer(() => sentinel.stop());
  const owned = stack.move();
  return {
    url: `redis-sentinel://:${password}@127.0.0.1:${sentinel.port}/main?sentinel_password=${sentinel.password}`,
    servers: [first, second],
    async kill({ child }) {
      if (child === undefined) throw new Error('it is not ours');
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    async revive() {
      owned.use(await startFirst([`replicaof 127.0.0.1 ${new URL(second.url).port}`]));
      await until('the former primary follows', () => hasReplica(second.url), 30_000);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function hasReplica(url: string): Promise<boolean> {
  const client = new Redis(url);
  try {
    return (await client.info('replication')).includes('state=online');
  } finally {
    client.disconnect();
  }
}

async function startSentinel(
  program: Program,
  folder: string,
  primary: { readonly port: number; readonly password: string },
) {
  const [port, password] = [await freePort(), randomBytes(16).toString('hex')];
  const file = join(folder, 'sentinel.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
    `sentinel auth-pass main ${primary.password}`,
    'sentinel down-after-milliseconds main 1000',
    'sentinel failover-timeout main 3000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = await spawnChild({
    name: 'sentinel',
    command: program.command,
    args: [file, '--sentinel'],
    env: { ...program.env, TZ: 'UTC' },
    cwd: folder,
    logFile: join(folder, 'sentinel.log'),
    stopSignal: 'SIGTERM',
    graceMs: 5000,
    rank: 1,
  });
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const problem = await waitForRedis(url, 20_000, () => child.hasExited());
  if (problem !== undefined) throw new Error(`the sentinel did not start: ${problem}`);
  const client = new Redis(url);
  try {
    await until('the sentinel knows the replica', async () => {
      const replicas = await client.call('SENTINEL', 'REPLICAS', 'main');
      return Array.isArray(replicas) && replicas.length === 1;
    });
  } finally {
    client.disconnect();
  }
  return { port, password, stop: () => child.stop() };
}
