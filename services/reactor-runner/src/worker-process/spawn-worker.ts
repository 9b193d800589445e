import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/**
 * Starts one worker process. Its environment is empty, it can gain no privilege, a crash leaves no core file
 * (which would hold plaintext), and it dies with this process. Started by root, it becomes the user `60600 + slot`
 * once it has loaded its files, which only root may be able to read. That change of user cancels the kernel's
 * parent-death signal, so the worker then watches its lifeline.
 */
export function spawnWorker(options: Omit<WorkerOptions, 'uid' | 'lifeline'>, slot: number): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const lifeline = isRoot || !existsSync(setpriv);
  const workerOptions: WorkerOptions = { ...options, lifeline, ...(isRoot ? { uid: firstUid + slot } : {}) };
  const command = [
    ...(existsSync(setpriv)
      ? [setpriv, '--no-new-privs', ...(isRoot ? [] : ['--pdeathsig', 'KILL']), '--']
      : []),
    ...(existsSync(prlimit) ? [prlimit, '--core=0', '--'] : []),
    process.execPath,
    ...nodeFlags,
    ...(isSource ? ['--conditions=source'] : []),
    entry,
    JSON.stringify(workerOptions),
  ];
  return spawn(command[0] ?? process.execPath, command.slice(1), {
    cwd: '/',
    env: {},
    // Standard input carries nothing; its end is the lifeline.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
}
