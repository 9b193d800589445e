import { AppError } from '@glovebox/platform/errors/app-error';
import type { Occurrence } from '@glovebox/platform/errors/http';
import { memberOf } from '@glovebox/platform/redaction/known-values';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { Invoker, ReactContext } from '../invocation/invoker.ts';
import { react } from '../invocation/react.ts';
import { unknownReactor } from '../invocation/resolve-reactor.ts';
import { type Reply, refusalObject, respondedBody } from '../replies/reply.ts';
import type { CodeRun } from '../scheduling/tenant.ts';
import type { BtResponse } from './bt-request.ts';
import { type BtRoute, json } from './bt-route.ts';

export const reactRoute: BtRoute = {
  name: 'POST /reactors/{id}/react',
  plaintextOf: (response) => memberOf(response, 'raw'),
  perform: async ({ react, caller, request, docsUrl }, id) => {
    const { correlationId } = caller;
    return responseOf(await react(id, request.body, caller), { correlationId, docsUrl });
  },
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export interface NestedReactContext extends ReactContext {
  readonly limits: ReactContext['limits'] & {
    /** How many reactors may invoke each other, one within the other. */
    readonly reactDepth: number;
  };
}

/**
 * Invokes a reactor for running code. The invocation shares the run's deadline and ends with it.
 * @throws AppError
 */
export function reactFromBt(
  context: NestedReactContext,
  run: CodeRun,
  reactorId: string,
  body: Buffer,
  { credential, trace, correlationId, clientAddress, signal }: VaultCaller,
): Promise<Reply> {
  if (!uuid.test(reactorId)) throw unknownReactor();
  const depth = (run.depth ?? 0) + 1;
  const { reactDepth } = context.limits;
  if (depth > reactDepth) {
    throw new AppError('unprocessable', `Reactors may invoke each other at most ${reactDepth} levels deep.`);
  }
  const invoker: Invoker = {
    credential,
    correlationId,
    clientAddress,
    trace,
    depth,
    invokedBy: run.invoking ?? { allowedDestinations: undefined },
    lifetime: {
      deadline: run.lifetime.deadline,
      signal,
      get cancelled() {
        return signal.aborted;
      },
    },
  };
  return react(context, { reactorId: reactorId.toLowerCase(), body, by: 'chance' }, invoker);
}

/** The response that the gateway gives to the same invocation from outside. */
function responseOf(reply: Reply, occurrence: Occurrence): BtResponse {
  switch (reply.$case) {
    case 'answered':
      return json(200, reply.value.json);
    case 'refused': {
      const problem = refusalObject(reply.value, occurrence);
      return json(reply.value.status, Buffer.from(JSON.stringify(problem)));
    }
    case 'responded':
      return json(reply.value.status, Buffer.from(respondedBody(reply.value.json).text));
    default:
      throw new Error(`the invocation of a reactor has the outcome ${reply.$case}`);
  }
}
