import { AppError } from '@glovebox/platform/errors/app-error';
import type { Express, RequestHandler } from 'express';

import { trailOf } from '../observe.ts';
import { beginWithKey } from './begin-with-key.ts';
import { chooseTenant } from './choose-tenant.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { endOwnSession } from './end-own-session.ts';
import { finishAtProvider } from './finish-at-provider.ts';
import { goToProvider } from './go-to-provider.ts';
import { listErasures } from './list-erasures.ts';
import { listSessions } from './list-sessions.ts';
import type { SignInHandler, SignInOptions } from './options.ts';
import { showSession } from './show-session.ts';
import { signOut } from './sign-out.ts';

const path = '/console/session';

const routes: Readonly<Record<string, Readonly<Record<string, SignInHandler>>>> = {
  [path]: { GET: showSession, POST: beginWithKey, DELETE: signOut },
  [`${path}/tenant`]: { PUT: chooseTenant },
  [`${path}/erasures`]: { GET: listErasures },
  [`${path}s`]: { GET: listSessions, DELETE: endOtherSessions },
  [`${path}s/:id`]: { DELETE: endOwnSession },
  [`${path}/login`]: { GET: goToProvider },
  [`${path}/callback`]: { GET: finishAtProvider },
};

/** Signing in and out (contract/people.md#sign-in). */
export function mountSignIn(app: Express, options: SignInOptions): void {
  for (const [address, handlers] of Object.entries(routes))
    app.all(address, serve(address, handlers, options));
}

function serve(
  address: string,
  handlers: Readonly<Record<string, SignInHandler>>,
  options: SignInOptions,
): RequestHandler {
  const allowed = Object.keys(handlers).join(', ');
  return async (request, response) => {
    trailOf(request).route = address;
    const handler = handlers[request.method];
    if (handler === undefined) {
      response.setHeader('Allow', allowed);
      throw new AppError('method_not_allowed', `Allowed here: ${allowed}.`);
    }
    await handler(options, request, response);
  };
}
