import { AppError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import type { Call } from '../../http/call.ts';
import { required } from '../../http/shape.ts';
import { signedInPerson } from './signed-in-person.ts';

/** Another person may use the browser by now. */
const freshMs = 5 * 60_000;

/** Why a person wants to see a value. */
export const revealReason = z
  .string(required('must be a string'))
  .trim()
  .min(10, 'must have at least 10 characters')
  .max(200, 'must be at most 200 characters long');

/**
 * Whether a person may see values in plain, and is still the one who signed in (contract/people.md#reveal).
 * @throws AppError `permission_denied`
 */
export function requireReveal(call: Call): void {
  const { tokenView, signedInAt } = signedInPerson(call);
  if (tokenView !== 'reveal') {
    throw new AppError('permission_denied', 'Your role does not let you see tokens in plain.');
  }
  if (Date.now() - signedInAt.getTime() > freshMs) {
    throw new AppError('permission_denied', 'Sign in again: that may be at most 5 minutes ago.');
  }
}
