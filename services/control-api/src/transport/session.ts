import type { IncomingHttpHeaders } from 'node:http';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type ConsoleSession, findSession, sessionOver } from '../people/sessions.ts';
import { readCookie, sessionCookie } from './cookies.ts';

/**
 * The console sends it with each request, and with the tenant of its page. No form and no other site can send it
 * (contract/people.md#requests-of-a-session).
 */
const consoleHeader = 'x-glovebox-console';

export interface SignedInSession {
  /** Of the cookie. */
  readonly id: string;
  readonly session: ConsoleSession;
}

/**
 * The session of a request that the console sent; undefined without a cookie.
 * @throws AppError `permission_denied` for requests of other origins, `unauthenticated` when the session is over
 */
export async function sessionOf(
  db: Queryable,
  headers: IncomingHttpHeaders,
): Promise<SignedInSession | undefined> {
  const id = readCookie(headers, sessionCookie);
  if (id === undefined) return undefined;
  requireSameOrigin(headers);
  const session = /^[\w-]{43}$/.test(id) ? await findSession(db, id, new Date()) : undefined;
  if (session === undefined) throw new AppError('unauthenticated', sessionOver);
  return { id, session };
}

/** Browsers set `Sec-Fetch-Site`, and no page can (Fetch Metadata). @throws AppError `permission_denied` */
export function requireSameOrigin(headers: IncomingHttpHeaders): void {
  if (headers['sec-fetch-site'] === 'same-origin' && headers[consoleHeader] !== undefined) return;
  throw new AppError('permission_denied', 'A session is only for requests that the console sends.');
}

/**
 * A tab that shows one tenant must not act in another one because of a sign-in in a second tab.
 * @throws AppError `conflict`
 */
export function requireSameTenant(headers: IncomingHttpHeaders, { tenantId }: ConsoleSession): void {
  if (headers[consoleHeader] === tenantId) return;
  throw new AppError('conflict', 'The session is in another tenant than this page. Reload the page.');
}
