import type { AppError } from '@glovebox/platform/errors/app-error';
import { type ErrorObject, problemObject, retryAfterOf, toErrorObject } from '@glovebox/platform/errors/http';

import { ownHeaders } from './answer-headers.ts';
import type { Exchange, RawResponse } from './exchange.ts';
import { ThrownResponse } from './thrown-response.ts';

const baseHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'] as const;

export function respondJson(
  exchange: Exchange,
  status: number,
  json: Uint8Array | string,
  headers: readonly string[] = [],
): void {
  exchange.response.writeHead(status, [
    ...baseHeaders,
    ...ownHeaders(exchange),
    'Content-Type',
    'application/json',
    'Content-Length',
    String(typeof json === 'string' ? Buffer.byteLength(json) : json.byteLength),
    ...headers,
  ]);
  exchange.response.end(json);
}

/** Success without a body. */
export function respondEmpty(exchange: Exchange, status = 200): void {
  exchange.response.writeHead(status, [...baseHeaders, ...ownHeaders(exchange), 'Content-Length', '0']);
  exchange.response.end();
}

/** Answers with a whole response; its length is announced. */
export function sendResponse(exchange: Exchange, { status, headers, body }: RawResponse): void {
  const length = status === 204 ? [] : ['Content-Length', String(body.length)];
  exchange.response.writeHead(status, [...headers, ...ownHeaders(exchange, headers), ...length]);
  exchange.response.end(body);
}

export function respondNoContent(exchange: Exchange, headers: readonly string[] = []): void {
  exchange.response.writeHead(204, [...baseHeaders, ...ownHeaders(exchange), ...headers]);
  exchange.response.end();
}

/**
 * Answers with the common error object (contract/errors.md#proxy-errors), `wrapped` in `proxy_error` on proxy routes.
 * An answer that has begun can only be cut off.
 */
export function respondError(exchange: Exchange, error: AppError, wrapped: boolean): void {
  const { response } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A head that Node refused has left these behind.
  response.statusMessage = '';
  response.sendDate = true;
  if (!(error instanceof ThrownResponse)) {
    respondProblem(exchange, toErrorObject(error, exchange), retryAfterOf(error), wrapped);
    return;
  }
  const { answer } = error;
  if ('response' in answer) sendResponse(exchange, answer.response);
  else respondProblem(exchange, problemObject(answer.problem, exchange), retryAfterOf(error), wrapped);
}

function respondProblem(
  exchange: Exchange,
  problem: ErrorObject,
  retryAfter: string | undefined,
  wrapped: boolean,
): void {
  const retry = retryAfter === undefined ? [] : ['Retry-After', retryAfter];
  respondJson(exchange, problem.status, JSON.stringify(wrapped ? { proxy_error: problem } : problem), retry);
}
