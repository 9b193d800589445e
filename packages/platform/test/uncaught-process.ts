import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { drainable } from '../src/http/drain.ts';
import { startInternalServer } from '../src/http/internal-server.ts';
import { runService } from '../src/process/lifecycle.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

/** A service in a process of its own. Its owner has it fail by a message; `GET /` is answered when the owner says so. */
const failures: Readonly<Record<string, () => void>> = {
  exception: () => {
    throw new Error('it broke', { cause: new TypeError('what it got was wrong') });
  },
  rejection: () => void Promise.reject(new Error('it broke')),
  value: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- code of others may
    throw { secret: 'hunter2' };
  },
};

await runService(
  'failing',
  () => ({}),
  async () => {
    const metrics = createMetrics('failing');
    const released = Promise.withResolvers<void>();
    const server = createServer((_request, response) => {
      process.send?.({ asked: true });
      void released.promise.then(() => response.end('answered'));
    });
    const drain = drainable(server, { delayMs: 0, timeoutMs: 20_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const readiness = { drain: () => drain.unreadyReason() };
    const internal = await startInternalServer({ host: '127.0.0.1', port: 0, metrics, readiness });
    process.on('message', (message: string) => {
      if (message === 'release') released.resolve();
      else setImmediate(failures[message] as () => void);
    });
    process.send?.({ port: (server.address() as AddressInfo).port, internalPort: internal.port });
    return {
      async [Symbol.asyncDispose]() {
        await drain[Symbol.asyncDispose]();
        await internal[Symbol.asyncDispose]();
      },
    };
  },
);
