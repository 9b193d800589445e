import { AppError } from '@glovebox/platform/errors/app-error';

import { newSignInSecret } from '../../identity/provider.ts';
import { setCookie, signInCookie } from '../cookies.ts';
import type { SignInHandler } from './options.ts';
import { returnTo } from './return-to.ts';

const seconds = 600;

/** Leads the browser to the identity provider; `return_to` is a page of the console. */
export const goToProvider: SignInHandler = async ({ provider, logger }, request, response) => {
  if (provider === undefined) throw new AppError('not_found', 'No identity provider is set: OIDC_ISSUER.');
  const secret = newSignInSecret();
  const page = returnTo(new URL(request.url, 'http://_').searchParams.get('return_to'));
  const url = await provider.signInUrl(secret).catch((err: unknown) => {
    logger.warn({ err }, 'the identity provider cannot be reached');
    throw new AppError('bad_gateway', 'The identity provider cannot be reached.', { cause: err });
  });
  // The page is a pattern of printable characters, of which a cookie takes none but these encoded.
  setCookie(response, signInCookie, `${secret}.${encodeURIComponent(page)}`, seconds);
  response.redirect(303, url.href);
};
