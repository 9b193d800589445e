import { AppError } from '@glovebox/platform/errors/app-error';

import type { Exchange } from './exchange.ts';

const sandboxed = ['Content-Security-Policy', 'sandbox'] as const;
const byMode = ['Vary', 'Sec-Fetch-Mode'] as const;

const forPages = [...sandboxed, ...byMode];

/**
 * A browser may make a page of an answer. This origin shows what others write, so a page of it gets an origin of its
 * own (CSP 3, section 6.4.2), beside the destination's own policy. Every answer says that it depends on the mode (RFC
 * 9110, section 12.5.5): a cache must not give a browser that navigates what another client has got without the policy.
 */
export function pageHeaders({ headers: { fetchMode } }: Pick<Exchange, 'headers'>): readonly string[] {
  return fetchMode === 'navigate' ? forPages : byMode;
}

/**
 * A service worker would answer for this whole origin (Service Workers, section 4.1).
 * @throws AppError `permission_denied` for a request for the script of one
 */
export function refuseServiceWorker({ headers: { serviceWorker } }: Pick<Exchange, 'headers'>): void {
  if (serviceWorker?.trim().toLowerCase() !== 'script') return;
  throw new AppError('permission_denied', 'What a proxy answers is no script of a service worker.');
}
