import type { Exchange } from './exchange.ts';
import { valueOf } from './headers/header-list.ts';

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
