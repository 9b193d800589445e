import { type Socket, connect } from 'node:net';

import { eachMessage } from './each-message.ts';

/** A request that a process sends to itself, as the bytes that it is. */
export type WholeRequest = Buffer;

export interface RepeatedRequests {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** Sent in turns; each is to be answered with a success. */
  readonly requests: readonly WholeRequest[];
  /** How many in all. */
  readonly count: number;
  readonly connections: number;
  readonly signal: AbortSignal;
}

/** @param headers besides Host and Content-Length */
export function wholeRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): WholeRequest {
  const length = String(Buffer.byteLength(body));
  const all = Object.entries({ Host: '127.0.0.1', ...headers, 'Content-Length': length });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n${body}`);
}

/**
 * Sends requests to this process, as many at once as there are connections. It is made of sockets alone, so that it
 * takes little of the time in which the process warms up. Resolves early when the signal aborts.
 * @throws Error when one is not answered with a success, or a connection ends
 */
export async function repeatRequests(options: RepeatedRequests): Promise<void> {
  const { connections, signal } = options;
  if (signal.aborted) return;
  const progress = { left: options.count, next: 0 };
  const sockets = Array.from({ length: connections }, () => connect(options.port, '127.0.0.1').setNoDelay());
  const end = () => sockets.forEach((socket) => socket.destroy());
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(sockets.map((socket) => repeatOn(socket, progress, options)));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

function repeatOn(
  socket: Socket,
  progress: { left: number; next: number },
  { requests }: RepeatedRequests,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = () => {
      const request = requests[progress.next++ % requests.length];
      if (progress.left-- > 0 && request !== undefined) socket.write(request);
      else resolve();
    };
    socket.on('error', reject).on('close', () => reject(new Error('the connection has ended')));
    socket.once('connect', send);
    eachMessage(socket, (start) => {
      if (/^HTTP\/1\.1 2\d\d /.test(start)) send();
      else reject(new Error(`it was answered with ${start}`));
    });
  });
}
