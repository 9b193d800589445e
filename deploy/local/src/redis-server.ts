import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type DebianProgram, type Program, debianProgram, programOnPath } from './debian-program.ts';

export type RedisSource = 'path' | 'debian' | 'javascript';

/** Apt is slow to notice that there is no network. */
const debianTimeoutMs = 20_000;

const debianRedis: DebianProgram = {
  name: 'redis',
  package: 'redis-tools',
  path: 'usr/bin/redis-server',
  versionOption: '--version',
  async prepare(folder) {
    // The server is the same program under another name; the package that holds the name needs an init system.
    const server = join(folder, 'usr/bin/redis-server');
    if (!existsSync(server)) await symlink('redis-check-rdb', server);
  },
};

/**
 * Finds a Redis, or another server that speaks its protocol and reads its configuration file: on PATH, else Debian's
 * package unpacked into `cacheDir`. Undefined when there is none.
 */
export async function findRedisServer(
  cacheDir: string,
  options: { readonly only?: RedisSource | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Program | undefined> {
  const { only, signal } = options;
  const onPath =
    only === undefined || only === 'path'
      ? await programOnPath(['redis-server', 'valkey-server'])
      : undefined;
  if (onPath !== undefined) return onPath;
  if (only !== undefined && only !== 'debian') return undefined;
  const timeout = AbortSignal.timeout(debianTimeoutMs);
  return await debianProgram(
    debianRedis,
    cacheDir,
    signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  );
}

/** Name and version, e.g. `Redis 7.0.15`. */
export async function versionOf(server: Program): Promise<string> {
  const { stdout } = await promisify(execFile)(server.command, ['--version'], { env: { ...server.env } });
  const name = stdout.startsWith('Valkey') ? 'Valkey' : 'Redis';
  return `${name} ${/v=([\d.]+)/.exec(stdout)?.[1] ?? ''}`.trim();
}
