import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

const script = fileURLToPath(new URL('scripts/dispose-under-way.ts', import.meta.url));
const nodeFlags = ['--no-node-snapshot', '--js-base-64', '--conditions=source'];
const processes = 2;

/** Has two processes dispose so many isolates each while the host works for them (scripts/dispose-under-way.ts). */
export async function expectNoCrash(isolates: number): Promise<void> {
  const runs = Array.from({ length: processes }, () =>
    // It ends itself by SIGKILL, as workers do; a crash is another signal.
    promisify(execFile)(process.execPath, [...nodeFlags, script, String(isolates)]).catch(
      (error: { signal: string; stdout: string; stderr: string }) => error,
    ),
  );
  for (const run of await Promise.all(runs)) {
    expect(run).to.deep.include({ signal: 'SIGKILL', stdout: `disposed ${isolates}\n`, stderr: '' });
  }
}
