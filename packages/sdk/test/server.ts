import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** What to answer to the n-th request, from 0; undefined: never. */
  answer: (request: Received, n: number) => Reply | undefined;
}

/** A real HTTP server that notes what reaches it. */
export async function startServer(): Promise<TestServer> {
  const received: Received[] = [];
  const test: Pick<TestServer, 'answer'> = { answer: () => ({ body: {} }) };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, url, headers, body };
      received.push(whole);
      const reply = test.answer(whole, received.length - 1);
      if (reply === undefined) return;
      const { status = 200, headers: own = {}, body: answer } = reply;
      response.writeHead(status, { 'Content-Type': 'application/json', ...own });
      response.end(answer === undefined || typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(test, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
