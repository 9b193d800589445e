import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HttpDrainOptions {
  /** How long the server still accepts connections, in milliseconds, so that load balancers notice that it leaves. */
  readonly delayMs: number;
  /** How long requests may go on afterwards, in milliseconds. */
  readonly timeoutMs: number;
}

/** Ends a listening server; disposing it resolves when it is closed. */
export interface HttpDrain extends AsyncDisposable {
  /** For `/readyz`: true as soon as it begins to end. */
  unreadyReason(): string | undefined;
}

/** A new connection that sends no request within this time is closed. */
const firstRequestMs = 1000;

/**
 * Ends a server without failing a request. First it announces its end, on `/readyz` and by `Connection: close` in each
 * response, and serves as before for a while. Then it accepts no more connections, closes each after its response, and
 * finally cuts off the slow ones. Call it before the server listens.
 */
export function drainable(server: Server, { delayMs, timeoutMs }: HttpDrainOptions): HttpDrain {
  /** Connections without a request so far: Node does not count those as idle. */
  const unused = new Set<Socket>();
  let leaving = false;
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    unused.delete(request.socket);
    if (leaving) response.shouldKeepAlive = false;
  });

  async function drain(): Promise<void> {
    leaving = true;
    await sleep(delayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A response that began earlier has promised to keep its connection.
    const looking = setInterval(() => server.closeIdleConnections(), 50);
    const unasked = setTimeout(() => unused.forEach((socket) => socket.destroy()), firstRequestMs);
    const late = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await closed;
    clearInterval(looking);
    clearTimeout(unasked);
    clearTimeout(late);
  }

  let ended: Promise<void> | undefined;
  return {
    unreadyReason: () => (leaving ? 'about to end' : undefined),
    [Symbol.asyncDispose]: () => (ended ??= drain()),
  };
}
