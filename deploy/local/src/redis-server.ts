import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type RedisServer, debianRedis } from './redis-debian.ts';

export type RedisSource = 'path' | 'debian' | 'javascript';

/** Finds a real server: on PATH, else Debian's package unpacked into `cacheDir`. Undefined when there is none. */
export async function findRedisServer(
  cacheDir: string,
  only?: RedisSource,
  debianTimeoutMs = 20_000,
): Promise<RedisServer | undefined> {
  const onPath = only === undefined || only === 'path' ? await serverOnPath() : undefined;
  if (onPath !== undefined) return onPath;
  return only === undefined || only === 'debian' ? await debianRedis(cacheDir, debianTimeoutMs) : undefined;
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
