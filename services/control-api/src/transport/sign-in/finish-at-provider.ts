import { AppError } from '@glovebox/platform/errors/app-error';

import { signIn } from '../../operations/people/sign-in.ts';
import { endSession } from '../../people/sessions.ts';
import { clearCookie, readCookie, sessionCookie, setCookie, signInCookie } from '../cookies.ts';
import { type SignInHandler, originOf } from './options.ts';
import { returnTo } from './return-to.ts';

/** Callbacks make the identity provider work; one more at once is refused. */
const mostAtOnce = 20;
let running = 0;

/**
 * The browser comes back from the identity provider: it gets a session, or is led to the console with `sign_in_error`:
 * `failed` (the provider refused, or its answer is not right) or `no_access` (a person without a role).
 */
export const finishAtProvider: SignInHandler = async (options, request, response) => {
  const { provider, postgres, grants, logger } = options;
  const [, secret = '', page = ''] =
    /^([\w-]{43})\.(.{1,3000})$/.exec(readCookie(request.headers, signInCookie) ?? '') ?? [];
  clearCookie(response, signInCookie);
  if (provider === undefined || secret === '') return failed(response);
  if (running >= mostAtOnce) {
    throw new AppError('rate_limited', 'Too many people sign in at once.', { retryAfterSeconds: 1 });
  }
  running += 1;
  try {
    const answer = new URL(request.url, 'http://_').searchParams;
    const person = await provider.finish(secret, answer).catch((err: unknown) => {
      logger.warn({ err }, 'sign-in failed');
      return undefined;
    });
    if (person === undefined) return failed(response);
    const db = postgres.acrossTenants('sign-in');
    const signedIn = await signIn(db, { person, grants, origin: originOf(request), tenantId: undefined });
    if (signedIn === undefined) return response.redirect(303, '/console?sign_in_error=no_access');
    // The session that the browser had before ends.
    const former = readCookie(request.headers, sessionCookie);
    if (former !== undefined) await endSession(db, former);
    setCookie(response, sessionCookie, signedIn.sessionId);
    response.redirect(303, returnTo(decode(page)));
  } finally {
    running -= 1;
  }
};

function failed(response: Parameters<SignInHandler>[2]): void {
  response.redirect(303, '/console?sign_in_error=failed');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
