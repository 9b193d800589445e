import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Program } from './debian-program.ts';
import { siblingModule } from './sibling-module.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The JavaScript substitute. */
export function substitute(port: number, password: string): Command {
  return {
    command: process.execPath,
    args: [siblingModule(import.meta.url, 'redis-javascript-main')],
    env: { REDIS_PORT: String(port), REDIS_PASSWORD: password },
  };
}

export interface ServerSettings {
  readonly port: number;
  readonly password: string;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  /** More lines of its configuration file. */
  readonly lines?: readonly string[];
}

/** The password is in a private file: every user can list command lines. */
export async function realServer(server: Program, settings: ServerSettings): Promise<Command> {
  const { port, password, dataDir, ephemeral, lines: more = [] } = settings;
  const file = join(dataDir, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dataDir)}`,
    'daemonize no',
    'save ""',
    `appendonly ${ephemeral ? 'no' : 'yes'}`,
    'maxmemory-policy noeviction',
    ...more,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return { command: server.command, args: [file], env: { ...server.env, TZ: 'UTC' } };
}
