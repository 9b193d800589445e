import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Makes this process the only one that runs the system of a state directory. The lock is a name in Linux's
 * abstract socket namespace: the kernel frees it when the process ends, however it ends.
 *
 * @returns undefined when another process holds it
 */
export function acquireInstanceLock(stateDir: string): Promise<Disposable | undefined> {
  const name = createHash('sha256').update(realpathSync(stateDir)).digest('hex').slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  const lock = { [Symbol.dispose]: () => void server.close() };
  if (process.platform !== 'linux') return Promise.resolve(lock);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(`\0glovebox-${name}`, () => {
      server.unref();
      resolve(lock);
    });
  });
}
