import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type Problems, readShape, required } from '../../http/shape.ts';
import { type Role, roleNames } from '../../people/roles.ts';

const email = z
  .string(required('must be a string'))
  .min(1, 'must not be empty')
  .max(330, { error: 'must be at most 330 characters long', abort: true })
  .regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'must be an email address');
const role = z.enum(roleNames, `must be one of ${roleNames.join(', ')}`).nullish();
const invitationShape = z.object({ email, role });

/** @throws AppError `invalid_argument` */
export function readInvitationInput(body: unknown): {
  readonly email: string;
  readonly role: Role | undefined;
} {
  const problems: Problems = {};
  const input = readShape(invitationShape, body, problems);
  if (input === undefined) throw validationError(problems);
  return { email: input.email, role: input.role ?? undefined };
}
