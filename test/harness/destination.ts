import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type ServerOptions, createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A request as a destination received it. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** As they were spelled on the wire. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The subject alternative name of the certificate that its client has shown. */
  readonly shown: string | undefined;
  /** The same number means the same connection. */
  readonly connection: number;
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

/** A real HTTP server that notes what reaches it. @param tls of one that speaks https */
export async function startDestination(tls?: ServerOptions): Promise<Destination> {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  let broken = 0;
  const destination = { answer: answerOk };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {
      broken += 1;
    });
    request.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      const body = Buffer.concat(chunks);
      const { remotePort: connection = 0 } = request.socket;
      const whole = { method, url, rawHeaders, headers, body, shown: shownBy(request), connection };
      received.push(whole);
      waiting.shift()?.(whole);
      destination.answer(whole, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(destination, {
    url: `${tls === undefined ? 'http' : 'https'}://localhost:${(server.address() as AddressInfo).port}`,
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

function shownBy({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.subjectAltName : undefined;
}

function answerOk(_received: Received, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"ok":true}');
}
