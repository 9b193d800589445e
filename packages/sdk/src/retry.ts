import { idempotencyHeader, ifMatchHeader } from './headers.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

const firstPauseMs = 500;
/** A longer `Retry-After` is not honoured: the call fails. */
const longestPauseMs = 30_000;
const idempotentMethods = new Set(['GET', 'PUT', 'DELETE']);
const invocation = /^\/proxy(?:\/|$)|^\/reactors\/[^/]+\/react/;

/**
 * Retries a request up to `maxRetries` times when there was no answer, or 408, 429 or 5xx, and repeating it is safe: by its
 * method, or by its idempotency key. Invocations of proxies and reactors are never retried, since the destination or the
 * code may have had effects. `Retry-After` is honoured.
 */
export function retrying(transport: Transport, maxRetries: number): Transport {
  return async (request) => {
    const attempts = mayRepeat(request) ? maxRetries + 1 : 1;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      const response = await transport(request).catch((error: unknown) => {
        if (isLast) throw error;
        return undefined;
      });
      if (response !== undefined && (isLast || !isTransient(response.status))) return response;
      const pauseMs = pauseBefore(attempt, response);
      if (response !== undefined && pauseMs > longestPauseMs) return response;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
}

function mayRepeat({ method, path, headers, onText }: TransportRequest): boolean {
  // A part of the answer may have been handed over.
  if (onText !== undefined || invocation.test(path)) return false;
  if (headers[idempotencyHeader] !== undefined) return true;
  // After a success whose answer was lost, the version would be another one.
  return idempotentMethods.has(method) && headers[ifMatchHeader] === undefined;
}

function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** `Retry-After`, or else twice as long each time, with up to a quarter less so that clients spread out. */
function pauseBefore(retry: number, response: TransportResponse | undefined): number {
  const requested = response?.headers['retry-after'];
  const seconds = requested === undefined || requested === '' ? NaN : Number(requested);
  const until = requested === undefined ? NaN : Date.parse(requested) - Date.now();
  if (seconds >= 0) return seconds * 1000;
  if (until >= 0) return until;
  return firstPauseMs * 2 ** (retry - 1) * (1 - Math.random() / 4);
}
