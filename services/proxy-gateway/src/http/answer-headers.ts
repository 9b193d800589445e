import { valueOf } from '@glovebox/egress/header-list';
import { warningAlias, warningHeader, warningList } from '@glovebox/platform/http/warnings';

import type { Exchange } from './exchange.ts';

/**
 * The headers of every answer: the correlation id (contract/conventions.md#correlation) under every name that counts,
 * the stages, who may read it in a browser, and what a browser may not make of it.
 *
 * @param others headers of the same answer from another source
 */
export function ownHeaders(exchange: Exchange, others: readonly string[] = []): string[] {
  const { correlationId, aliases, serverTiming, stages, warnings } = exchange;
  const own = ['SVC-TRACE-ID', correlationId];
  if (serverTiming) own.push('Server-Timing', String(stages));
  if (aliases) own.push('BT-TRACE-ID', correlationId);
  // A replayed answer has the warnings that it had.
  if (warnings.texts.length > 0 && valueOf(others, 'svc-warning') === undefined)
    own.push(...warningHeaders(exchange));
  own.push(...originHeaders(exchange, others), ...pageHeaders(exchange));
  return own;
}

function warningHeaders({ warnings, aliases }: Exchange): string[] {
  const list = warningList(warnings.texts) ?? '';
  return aliases ? [warningHeader, list, warningAlias, list] : [warningHeader, list];
}

/** Marks whether an answer is the destination's or the service's own (contract/errors.md#proxy-errors). */
export function destinationHeaders({ aliases }: Exchange, status: number): string[] {
  const own = ['SVC-PROXY-DESTINATION-STATUS', String(status)];
  if (aliases) own.push('BT-PROXY-DESTINATION-STATUS', String(status));
  return own;
}

const sandboxed = ['Content-Security-Policy', 'sandbox'] as const;
const byMode = ['Vary', 'Sec-Fetch-Mode'] as const;

const forPages = [...sandboxed, ...byMode];

/**
 * A browser may make a page of an answer. This origin shows what others write, so a page of it gets an origin of its
 * own (CSP 3, section 6.4.2), beside the destination's own policy. Every answer says that it depends on the mode (RFC
 * 9110, section 12.5.5): a cache must not give a browser that navigates what another client has got without the policy.
 */
function pageHeaders({ headers: { fetchMode } }: Pick<Exchange, 'headers'>): readonly string[] {
  return fetchMode === 'navigate' ? forPages : byMode;
}

/**
 * What a browser wants to hear before a page of another origin gets an answer (the Fetch standard, section 3.3). Where
 * only some pages may read, answers to other clients say `Vary` too, or a cache would give such an answer to a page.
 * All headers may be read: keys travel in a header of their own, and no answer is for a cookie.
 *
 * @param others headers of the same answer; a destination that says itself who may read it is not contradicted
 */
export function originHeaders(
  { headers: { origin }, origins }: Pick<Exchange, 'headers' | 'origins'>,
  others: readonly string[],
): readonly string[] {
  if (origins === '*' && origin === undefined) return [];
  if (valueOf(others, 'access-control-allow-origin') !== undefined) return [];
  if (origins === '*') return ['Access-Control-Allow-Origin', '*', ...exposed];
  if (origin === undefined || !origins.has(origin)) return ['Vary', 'Origin'];
  return ['Access-Control-Allow-Origin', origin, ...exposed, 'Vary', 'Origin'];
}

const exposed = ['Access-Control-Expose-Headers', '*'] as const;

/** Whether a browser asks if a page may send a request. */
export function isPreflight({ request, headers: { origin }, origins }: Exchange): boolean {
  if (request.method !== 'OPTIONS' || origin === undefined) return false;
  const asks = request.headers['access-control-request-method'] !== undefined;
  return asks && (origins === '*' || origins.has(origin));
}

/** @param methods of the address, separated by commas */
export function preflightHeaders({ request }: Exchange, methods: string): readonly string[] {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const headers = ['Access-Control-Allow-Methods', methods, 'Access-Control-Max-Age', '7200'];
  if (/^[\w\-, ]{1,2000}$/.test(asked)) headers.push('Access-Control-Allow-Headers', asked);
  return headers;
}
