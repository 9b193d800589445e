import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a destination received it. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** As they were spelled on the wire. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Destination extends AsyncDisposable {
  readonly url: string;
  /** Whole requests, in the order of their arrival. */
  readonly received: Received[];
  /** Requests that broke off before they were whole. */
  readonly broken: number;
  /** What to answer; by default 200 and `{"ok":true}`. */
  answer: (received: Received, response: ServerResponse) => void;
  /** The next whole request. */
  next(): Promise<Received>;
}

/** A real HTTP server that notes what reaches it. */
export async function startDestination(): Promise<Destination> {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  let broken = 0;
  const destination = { answer: answerOk };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {
      broken += 1;
    });
    request.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      const whole = { method, url, rawHeaders, headers, body: Buffer.concat(chunks) };
      received.push(whole);
      waiting.shift()?.(whole);
      destination.answer(whole, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(destination, {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    received,
    get broken() {
      return broken;
    },
    next: () => new Promise<Received>((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

function answerOk(_received: Received, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"ok":true}');
}
