import type { Occurrence } from './api-error.ts';
import type { TransportResponse } from './transport.ts';

/** What an answer says of the failure that it is: from its body, unless that is a proxy's destination's, and its headers. */
export function occurrenceOf({ headers }: TransportResponse, body: unknown): Occurrence {
  const traceId = headers['svc-trace-id'];
  const named = traceId === undefined ? {} : { traceId };
  if (headers['svc-proxy-destination-status'] !== undefined || !isObject(body)) return named;
  // A proxy wraps its own failures.
  const problem = isObject(body['proxy_error']) ? body['proxy_error'] : body;
  const { code, doc_url: docUrl } = problem;
  if (typeof code !== 'string' || typeof docUrl !== 'string') return named;
  return { ...named, code, docUrl };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
