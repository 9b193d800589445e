import { AppError } from '@glovebox/platform/errors/app-error';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { Invoker } from '../invocation/invoker.ts';
import type { ReactContext } from '../invocation/react-context.ts';
import { react } from '../invocation/react.ts';
import { unknownReactor } from '../invocation/resolve-reactor.ts';
import type { Job } from '../scheduling/tenant.ts';
import type { ReactOutcome } from './react-answer.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Invokes a reactor for the code of a job: as whom the code asks, within the time that is left to the job, and no longer
 * than the job goes on. @throws AppError
 */
export function reactWithin(
  context: ReactContext & { readonly limits: { readonly reactDepth: number } },
  job: Job,
  reactorId: string,
  body: Buffer,
  { credential, trace, correlationId, signal }: VaultCaller,
): Promise<ReactOutcome> {
  if (!uuid.test(reactorId)) throw unknownReactor();
  const depth = (job.depth ?? 0) + 1;
  const { reactDepth } = context.limits;
  if (depth > reactDepth) {
    throw new AppError('unprocessable', `Reactors may invoke each other at most ${reactDepth} levels deep.`);
  }
  const invoker: Invoker = {
    credential,
    correlationId,
    trace,
    depth,
    caller: {
      deadline: job.caller.deadline,
      signal,
      get cancelled() {
        return signal.aborted;
      },
    },
  };
  return react(context, { reactorId: reactorId.toLowerCase(), body }, invoker);
}
