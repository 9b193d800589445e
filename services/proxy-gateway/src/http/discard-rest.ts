import type { IncomingMessage } from 'node:http';

const discardForMs = 10_000;

/**
 * Throws away what the client of an answered request still sends, for a while: a client that sends all of its request
 * before it reads would never come to the answer, and closing on it would take the answer away.
 */
export function discardRest(request: IncomingMessage, forMs = discardForMs): void {
  if (request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), forMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
