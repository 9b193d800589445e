import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { WorkerOptions } from '../worker-protocol/worker-options.ts';

const isSource = import.meta.url.endsWith('.ts');
const entry = fileURLToPath(new URL(`../sandbox/worker/worker.${isSource ? 'ts' : 'js'}`, import.meta.url));
const setpriv = '/usr/bin/setpriv';
const prlimit = '/usr/bin/prlimit';

/**
 * isolated-vm needs the first (its README). The second makes base64 of large buffers a hundred times faster. The third
 * enables the ciphers and hashes that Node.js 16 has and OpenSSL 3 moved to its legacy provider: old bank protocols use DES.
 */
const nodeFlags = [
  '--no-node-snapshot',
  '--js-base-64',
  '--openssl-legacy-provider',
  '--max-old-space-size=128',
];

/** Neither Debian nor systemd assigns these user ids. Each process has its own, so that none can touch another. */
const firstUid = 60_600;

type StartOptions = Omit<WorkerOptions, 'uid' | 'flushesCompileCache'>;

/**
 * Starts one worker process. Its environment is empty, it can gain no privilege, a crash leaves no core file
 * (which would hold plaintext), and it dies with this process. Started by root, it becomes the user `60600 + slot`
 * once it has loaded its files, which only root may be able to read. That change of user cancels the kernel's
 * parent-death signal; then the worker ends because its standard input does.
 */
export function spawnWorker(options: StartOptions, slot: number): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const compileCache = findCompileCache();
  const workerOptions: WorkerOptions = {
    ...options,
    ...(isRoot ? { uid: firstUid + slot } : {}),
    flushesCompileCache: compileCache !== undefined,
  };
  const command = [
    ...(existsSync(setpriv)
      ? [setpriv, '--no-new-privs', ...(isRoot ? [] : ['--pdeathsig', 'KILL']), '--']
      : []),
    ...(existsSync(prlimit) ? [prlimit, '--core=0', '--'] : []),
    process.execPath,
    ...nodeFlags,
    ...(isSource ? ['--conditions=source'] : []),
    ...(compileCache === undefined ? [] : [importCompileCache(compileCache)]),
    entry,
    JSON.stringify(workerOptions),
  ];
  return spawn(command[0] ?? process.execPath, command.slice(1), {
    cwd: '/',
    env: {},
    // Standard input and output carry the records of worker-protocol/control.ts; the end of the former ends the worker.
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/**
 * The runner's own, which is only read once a worker has given up its privileges. None in a build: there a worker may be
 * the same user as the runner, and code that broke out of its isolate could change what the next worker loads.
 */
function findCompileCache(): string | undefined {
  const folder = isSource ? getCompileCacheDir() : undefined;
  // It names a folder of this version of Node.js inside the one that was configured.
  return folder === undefined ? undefined : dirname(folder);
}

/**
 * With compiled code a worker that runs from source starts in three quarters of the time. The import is no file of its own:
 * Node.js would have to load its TypeScript parser for that one.
 */
function importCompileCache(folder: string): string {
  const script = `import { enableCompileCache } from 'node:module'; enableCompileCache(${JSON.stringify(folder)});`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
