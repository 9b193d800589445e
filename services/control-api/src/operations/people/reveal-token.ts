import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import type { Call, Reply } from '../../http/call.ts';
import { type Problems, readShape, required } from '../../http/shape.ts';
import type { Dependencies } from '../dependencies.ts';
import { jsonReply } from './json-reply.ts';
import { signedInPerson, viewerOf } from './signed-in-person.ts';

/** Somebody else may sit at the browser by now. */
const freshMs = 5 * 60_000;

const shape = z.object({
  id: z.string(required('must be a string')),
  reason: z
    .string(required('must be a string'))
    .trim()
    .min(10, 'must have at least 10 characters')
    .max(200, 'must be at most 200 characters long'),
});

/** One token in plain, for a person who may, has signed in lately and says why (contract/people.md#reveal). */
export async function revealToken({ tokens }: Pick<Dependencies, 'tokens'>, call: Call): Promise<Reply> {
  const { tokenView, signedInAt } = signedInPerson(call);
  if (tokenView !== 'reveal') {
    throw new AppError('permission_denied', 'Your role does not let you see tokens in plain.');
  }
  if (Date.now() - signedInAt.getTime() > freshMs) {
    throw new AppError('permission_denied', 'Sign in again: that may be at most 5 minutes ago.');
  }
  const problems: Problems = {};
  const input = readShape(shape, call.body, problems);
  if (input === undefined) throw validationError(problems);
  return jsonReply(await tokens.reveal(viewerOf(call), input.id, input.reason, call.correlationId));
}
