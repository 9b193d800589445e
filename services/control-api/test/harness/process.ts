import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { compileCache } from '../../../../test/harness/compile-cache.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  stop(): void;
}

/** Runs a file of src/ as its own process, in nothing but the given environment. */
export function runSource(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  const path = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return {
    ended: ended.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })),
    stop: () => child.kill('SIGTERM'),
  };
}
