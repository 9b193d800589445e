import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { compileCache } from '../../../../test/harness/compile-cache.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A vault in a process of its own. */
export function spawnVault(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--conditions=source', main], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The first log line says which port was taken. */
export async function portOf(child: ChildProcess): Promise<number> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    text += chunk.toString();
    const match = /"grpc_port":(\d+)/.exec(text);
    if (match !== null) return Number(match[1]);
  }
}
