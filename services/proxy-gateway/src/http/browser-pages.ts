import { AppError } from '@glovebox/platform/errors/app-error';

import type { Exchange } from './exchange.ts';

const sandboxed = ['Content-Security-Policy', 'sandbox'] as const;
const byMode = ['Vary', 'Sec-Fetch-Mode'] as const;

/**
 * What a browser is told that may make a page of an answer. This origin shows what others write, so a page of it gets an
 * origin of its own (CSP 3, section 6.4.2), beside whatever policy the destination has. What a script has fetched without
 * that is no page of the browser's cache.
 */
export function pageHeaders({
  headers: { fetchMode, fetchDest },
}: Pick<Exchange, 'headers'>): readonly string[] {
  if (fetchDest === undefined && fetchMode !== 'navigate') return [];
  return fetchMode === 'navigate' ? [...sandboxed, ...byMode] : byMode;
}

/**
 * A service worker would answer for this whole origin (Service Workers, section 4.1).
 * @throws AppError `permission_denied` for a request for the script of one
 */
export function refuseServiceWorker({ headers: { serviceWorker } }: Pick<Exchange, 'headers'>): void {
  if (serviceWorker?.trim().toLowerCase() !== 'script') return;
  throw new AppError('permission_denied', 'What a proxy answers is no script of a service worker.');
}
