import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { compileCache } from '../../../../test/harness/compile-cache.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One of the vault's commands in a process of its own. */
export function spawnCli(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['--conditions=source', cli, ...args], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawnCli(args, env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}
