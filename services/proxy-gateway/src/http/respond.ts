import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { AppError, ErrorCode } from '@glovebox/platform/errors';
import { type ErrorObject, toErrorObject } from '@glovebox/platform/errors-http';

import type { Exchange } from './exchange.ts';
import { OwnAnswer } from './own-answer.ts';
import { respondRaw } from './respond-raw.ts';

const baseHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'] as const;

/** Answers with JSON bytes of ours. */
export function respondJson(
  exchange: Exchange,
  status: number,
  json: Uint8Array | string,
  headers: readonly string[] = [],
): void {
  exchange.response.writeHead(status, [
    ...baseHeaders,
    'SVC-TRACE-ID',
    exchange.correlationId,
    'Content-Type',
    'application/json',
    'Content-Length',
    String(typeof json === 'string' ? Buffer.byteLength(json) : json.byteLength),
    ...headers,
  ]);
  exchange.response.end(json);
}

export function respondNoContent(exchange: Exchange): void {
  exchange.response.writeHead(204, [...baseHeaders, 'SVC-TRACE-ID', exchange.correlationId]);
  exchange.response.end();
}

/**
 * Answers with the common error object (interface.md section 7), `wrapped` in `proxy_error` on proxy routes. An
 * answer that has begun can only be cut off. What the client still sends is thrown away for a while: closing on a
 * client that is still sending would take the answer from it.
 */
export function respondError(exchange: Exchange, error: AppError, wrapped: boolean): void {
  const { request, response } = exchange;
  const { socket } = response;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const own = error instanceof OwnAnswer ? error.answer : { problem: toErrorObject(error) };
  if ('response' in own) respondRaw(exchange, own.response);
  else respondProblem(exchange, own.problem, error.code, wrapped);
  if (socket !== null && !request.complete) discardRest(request, socket);
}

function respondProblem(exchange: Exchange, problem: ErrorObject, code: ErrorCode, wrapped: boolean): void {
  const retry = code === 'unavailable' || code === 'rate_limited' ? ['Retry-After', '1'] : [];
  respondJson(exchange, problem.status, JSON.stringify(wrapped ? { proxy_error: problem } : problem), retry);
}

const discardForMs = 10_000;

/**
 * @param socket the request's own: undici takes it from a request whose body it gives up, and nobody reads that body
 * any more.
 */
export function discardRest(request: IncomingMessage, socket: Socket, forMs = discardForMs): void {
  const timer = setTimeout(() => socket.destroy(), forMs).unref();
  (request.destroyed ? socket : request).once('close', () => clearTimeout(timer));
  request.resume();
}
