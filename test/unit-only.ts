// Loaded before the unit tests (`npm run test:unit`): a test that starts a process or opens a listener fails, and
// belongs into a `*.it.test.ts`.
import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';

// The parent of mocha's workers has to start them.
if (process.env['MOCHA_WORKER_ID'] !== undefined) {
  refuse(ChildProcess.prototype, 'spawn');
  refuse(Server.prototype, 'listen');
}

function refuse(prototype: object, method: string): void {
  Object.defineProperty(prototype, method, {
    value: () => {
      throw new Error(`a unit test calls ${method}: name its file *.it.test.ts`);
    },
  });
}
