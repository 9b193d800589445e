import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HttpDrainOptions {
  /** How long the server goes on taking connections, in milliseconds, so that balancers learn that it leaves. */
  readonly delayMs: number;
  /** How long requests may go on after that, in milliseconds. */
  readonly timeoutMs: number;
}

/** Ends a server that listens; disposing it resolves when it is closed. */
export interface HttpDrain extends AsyncDisposable {
  /** For `/readyz`: that it is about to end, from the first moment on. */
  unreadyReason(): string | undefined;
}

/** A connection that was made says within this time what it wants, or is closed. */
const firstRequestMs = 1000;

/**
 * Makes the end of a server one that fails no request: first it says everywhere that it leaves, on `/readyz` and by
 * `Connection: close` in each answer, and serves as before for a while; then it takes no more connections, closes each
 * as soon as its answer is given, and cuts off at last what takes too long. To be called before it listens.
 */
export function drainable(server: Server, { delayMs, timeoutMs }: HttpDrainOptions): HttpDrain {
  /** Connections that have asked for nothing so far: Node does not count those as idle. */
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
    // An answer that was begun before it was time to leave has promised to keep its connection.
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
