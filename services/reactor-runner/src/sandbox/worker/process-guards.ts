import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Ends this process at once when its own code fails. By itself it would wait for the thread that holds the
 * lifeline, which waits for the runner.
 */
export function endOnError(): void {
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, `${error instanceof Error ? error.stack : 'a value that is not an Error was thrown'}\n`);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  });
}

/**
 * Ends this process as soon as its standard input does, that is when the runner dies, however it dies. A thread
 * waits for it, because user code may keep the main thread busy. It is given as text, so that nothing has to be
 * read from disk after the process has given up its privileges.
 */
const source = `
  const { readSync } = require('node:fs');
  require('node:worker_threads').parentPort.postMessage('waiting');
  try {
    readSync(0, Buffer.alloc(1));
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
`;

export async function holdLifeline(): Promise<void> {
  const waiting = Promise.withResolvers<void>();
  const thread = new Worker(source, { eval: true, env: {}, execArgv: [] });
  thread.once('message', () => waiting.resolve());
  thread.once('error', waiting.reject);
  await waiting.promise;
}

/** Turns this process, which root has started, into a user that owns nothing; there is no way back. */
export function dropPrivileges(uid: number): void {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || process.getgid?.() !== uid) {
    throw new Error('could not give up the privileges of root');
  }
}
