import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import type { Call, Reply } from '../../http/call.ts';
import { type Problems, readShape, required } from '../../http/shape.ts';
import type { Dependencies } from '../dependencies.ts';
import { jsonReply } from './json-reply.ts';
import { requireReveal, revealReason } from './require-reveal.ts';
import { viewerOf } from './signed-in-person.ts';

const shape = z.object({ id: z.string(required('must be a string')), reason: revealReason });

/** One token in plain, for a person who may, has signed in lately and says why (contract/people.md#reveal). */
export async function revealToken({ tokens }: Pick<Dependencies, 'tokens'>, call: Call): Promise<Reply> {
  requireReveal(call);
  const problems: Problems = {};
  const input = readShape(shape, call.body, problems);
  if (input === undefined) throw validationError(problems);
  return jsonReply(await tokens.reveal(viewerOf(call), input.id, input.reason, call.correlationId));
}
