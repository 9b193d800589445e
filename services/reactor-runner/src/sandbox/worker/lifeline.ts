import { Worker } from 'node:worker_threads';

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
