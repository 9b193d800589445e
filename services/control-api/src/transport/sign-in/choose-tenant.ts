import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type Problems, readShape, uuid } from '../../http/shape.ts';
import { switchTenant } from '../../operations/people/switch-tenant.ts';
import { sessionOver } from '../../people/sessions.ts';
import { sessionCookie, setCookie } from '../cookies.ts';
import { sessionOf } from '../session.ts';
import { type SignInHandler, originOf } from './options.ts';

const shape = z.object({ tenant_id: uuid });

/** Goes on in another tenant of the same person, with a session of its own (contract/people.md#the-session). */
export const chooseTenant: SignInHandler = async ({ postgres, readJson }, request, response) => {
  const db = postgres.acrossTenants('sign-in');
  const signedIn = await sessionOf(db, request.headers);
  if (signedIn === undefined) throw new AppError('unauthenticated', sessionOver);
  const { id, session } = signedIn;
  const problems: Problems = {};
  const input = readShape(shape, await readJson(request, response, 'json'), problems);
  if (input === undefined) throw validationError(problems);
  if (session.holder.kind === 'key') {
    throw new AppError('not_found', 'A key belongs to one tenant. Sign in with a key of the other one.');
  }
  const next = await switchTenant(
    db,
    id,
    { userId: session.holder.userId, signedInAt: session.createdAt },
    input.tenant_id,
    originOf(request),
  );
  setCookie(response, sessionCookie, next);
  response.status(204).end();
};
