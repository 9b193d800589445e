import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type Problems, readShape, required } from '../../http/shape.ts';

const email = z
  .string(required('must be a string'))
  .min(1, 'must not be empty')
  .max(330, { error: 'must be at most 330 characters long', abort: true })
  .regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'must be an email address');
const invitationShape = z.object({ email });

/** @throws AppError `invalid_argument` */
export function readInvitationInput(body: unknown): { readonly email: string } {
  const problems: Problems = {};
  const input = readShape(invitationShape, body, problems);
  if (input === undefined) throw validationError(problems);
  return input;
}
