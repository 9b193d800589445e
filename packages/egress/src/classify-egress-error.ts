import { EgressConnectFailed, EgressDenied } from './egress-errors.ts';
import { BrokenAnswer } from './http1/broken-answer.ts';

/**
 * How a dispatched request failed:
 * - `denied`: the guard refused the destination; nothing was sent
 * - `dns`, `connect`, `tls`: no connection; nothing was sent. A connection that is not made in time is `connect`
 * - `timeout`: connected, but the response's headers, or the next part of its body, did not come in time; also the end
 *   of an `AbortSignal.timeout`
 * - `reset`: the connection broke while a request was on it
 * - `protocol`: what came back is no HTTP response that can be read in only one way (BrokenAnswer), or its headers are too
 *   large
 * - `request`: the request cannot be written as HTTP (header name or value, content-length against body)
 * - `aborted`: our side gave up
 * - `closed`: the dispatcher is shutting down
 * - `unknown`: none of these; a fault of our own
 */
export type EgressOutcome =
  | 'denied'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'request'
  | 'aborted'
  | 'closed'
  | 'unknown';

/** Codes of undici's errors and of Node's sockets once a connection is open; before that the connector has named the stage. */
const outcomeByCode: ReadonlyMap<string, EgressOutcome> = new Map([
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_SOCKET', 'reset'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['EHOSTUNREACH', 'reset'],
  ['ENETUNREACH', 'reset'],
  ['UND_ERR_INVALID_ARG', 'request'],
  ['UND_ERR_NOT_SUPPORTED', 'request'],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'request'],
  ['UND_ERR_ABORTED', 'aborted'],
  ['UND_ERR_ABORT', 'aborted'],
  ['ABORT_ERR', 'aborted'],
  ['UND_ERR_DESTROYED', 'closed'],
  ['UND_ERR_CLOSED', 'closed'],
]);

/** Errors without a usable code: those of DOMExceptions are numbers. */
const outcomeByName: ReadonlyMap<string, EgressOutcome> = new Map([
  ['AbortError', 'aborted'],
  ['TimeoutError', 'timeout'],
]);

/**
 * Names the outcome of an error that the guarded dispatcher handed to a request's handler.
 */
export function classifyEgressError(error: unknown): EgressOutcome {
  if (error instanceof EgressDenied) return 'denied';
  if (error instanceof EgressConnectFailed) return error.stage;
  if (error instanceof BrokenAnswer) return 'protocol';
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const outcome = outcomeByName.get(error.name) ?? outcomeByCode.get(code);
  if (outcome !== undefined) return outcome;
  return /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? 'tls' : 'unknown';
}
