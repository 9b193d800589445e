import { hashKey } from '@glovebox/access/api-key';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type Problems, readShape, required } from '../../http/shape.ts';
import { signInWithKey } from '../../operations/people/sign-in-with-key.ts';
import { principalOfKeyHash } from '../authenticate.ts';
import { sessionCookie, setCookie } from '../cookies.ts';
import { requireSameOrigin } from '../session.ts';
import { type SignInHandler, originOf } from './options.ts';

const shape = z.object({ key: z.string(required('must be a string')) });

/** Signs in the holder of a management key (contract/people.md#sign-in-with-a-key). */
export const beginWithKey: SignInHandler = async (options, request, response) => {
  requireSameOrigin(request.headers);
  if (!options.withKeys) {
    throw new AppError('permission_denied', 'Signing in with a key is turned off: CONSOLE_KEY_SIGN_IN.');
  }
  const problems: Problems = {};
  const input = readShape(shape, await options.readJson(request, response, 'json'), problems);
  if (input === undefined) throw validationError(problems);
  const keyHash = hashKey(input.key);
  const principal = await principalOfKeyHash(options.postgres.acrossTenants('authentication'), keyHash);
  const { tenantId, applicationId, applicationType } = principal;
  if (applicationType !== 'management') {
    throw new AppError('permission_denied', 'Only the key of a management application signs in.');
  }
  const db = options.postgres.forTenant(tenantId);
  const id = await signInWithKey(db, { tenantId, applicationId, keyHash }, originOf(request));
  setCookie(response, sessionCookie, id);
  response.status(204).end();
};
