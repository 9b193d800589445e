import { fileURLToPath } from 'node:url';

import type { LoadGenerator, LoadResult } from './load.ts';
import { runCommand } from './run-command.ts';

const program = fileURLToPath(new URL('own-load-main.ts', import.meta.url));

/** Plain sockets in a Node process of their own: several times the CPU of wrk, so its limits show earlier. */
export const ownLoad: LoadGenerator = {
  description: 'our own generator (wrk is missing: Debian package wrk)',
  async run(target, seconds, connections) {
    const job = JSON.stringify({ target, seconds, connections });
    const result: LoadResult = JSON.parse(await runCommand([process.execPath, program, job]));
    return result;
  },
};
