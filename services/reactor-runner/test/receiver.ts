import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An address of a tenant's own, which records what it receives. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** What it answers; by default 204. */
  answer: (response: ServerResponse, received: Received) => void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const whole = { path, headers, text: Buffer.concat(chunks).toString() };
      received.push(whole);
      receiver.answer(response, whole);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    received,
    answer: (response) => response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

/** Verifies as a receiver does that knows nothing of us but the documentation. */
export function isSigned(secret: string, { headers, text }: Received): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[name === 'signature' ? 'svc-signature' : `svc-webhook-${name}`]),
  );
  const age = Date.now() / 1000 - Number(time);
  if (!(Math.abs(age) < 300) || headers['svc-signature-version'] !== 'v1') return false;
  const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const expected = hmac.update(`${id}.${time}.${text}`, 'utf8').digest();
  return (signatures ?? '')
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}
