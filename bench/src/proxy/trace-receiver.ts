import { createServer } from 'node:http';

import { portOf } from '@glovebox/platform/http/port-of';

/** Takes whatever is exported by OTLP over HTTP and throws it away. */
export interface TraceReceiver extends AsyncDisposable {
  readonly url: string;
  /** Exports so far. */
  readonly exports: number;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  let exports = 0;
  const server = createServer((request, response) => {
    exports += 1;
    request.resume();
    request.once('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    get exports() {
      return exports;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
