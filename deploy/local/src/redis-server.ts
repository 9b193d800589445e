import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type RedisServer, debianRedis } from './redis-debian.ts';

export type RedisSource = 'path' | 'debian' | 'javascript';

/** Apt is slow to notice that there is no network. */
const debianTimeoutMs = 20_000;

/** Finds a real server: on PATH, else Debian's package unpacked into `cacheDir`. Undefined when there is none. */
export async function findRedisServer(
  cacheDir: string,
  options: { readonly only?: RedisSource | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<RedisServer | undefined> {
  const { only, signal } = options;
  const onPath = only === undefined || only === 'path' ? await serverOnPath() : undefined;
  if (onPath !== undefined) return onPath;
  if (only !== undefined && only !== 'debian') return undefined;
  const timeout = AbortSignal.timeout(debianTimeoutMs);
  return await debianRedis(cacheDir, signal === undefined ? timeout : AbortSignal.any([timeout, signal]));
}

/** Name and version, e.g. `Redis 7.0.15`. */
export async function versionOf(server: RedisServer): Promise<string> {
  const { stdout } = await promisify(execFile)(server.command, ['--version'], { env: { ...server.env } });
  const name = stdout.startsWith('Valkey') ? 'Valkey' : 'Redis';
  return `${name} ${/v=([\d.]+)/.exec(stdout)?.[1] ?? ''}`.trim();
}

async function serverOnPath(): Promise<RedisServer | undefined> {
  const directories = (process.env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/'));
  for (const name of ['redis-server', 'valkey-server']) {
    for (const directory of directories) {
      const command = join(directory, name);
      const runnable = await access(command, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runnable) return { command, env: {}, source: 'of this machine' };
    }
  }
  return undefined;
}
