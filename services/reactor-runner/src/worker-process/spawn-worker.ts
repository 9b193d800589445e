import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { WorkerOptions } from '../worker-protocol/worker-options.ts';

const isSource = import.meta.url.endsWith('.ts');
const entry = fileURLToPath(new URL(`../sandbox/worker/worker.${isSource ? 'ts' : 'js'}`, import.meta.url));
const setpriv = '/usr/bin/setpriv';
const prlimit = '/usr/bin/prlimit';

/**
 * isolated-vm needs the first (its README); the second makes base64 of large buffers a hundred times faster. The third is
 * for the ciphers and hashes that Node.js 16 has and OpenSSL 3 keeps apart: old protocols of banks want DES.
 */
const nodeFlags = [
  '--no-node-snapshot',
  '--js-base-64',
  '--openssl-legacy-provider',
  '--max-old-space-size=128',
];

/** Users that neither Debian nor systemd gives to anyone; one per process, so that none can touch another. */
const firstUid = 60_600;

/**
 * Starts one worker process. Its environment is empty, it can gain no privilege, a crash leaves no core file
 * (which would hold plaintext), and it dies with this process. Started by root it becomes the user `60600 + slot`
 * once it has loaded its files, which only root may be able to read; that change of user makes the kernel
 * forget to end it with its parent, so it sees to that itself.
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
  return spawn(command[0] as string, command.slice(1), {
    cwd: '/',
    env: {},
    // Standard input never carries anything; its end is the lifeline.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
}
