import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { Context } from '@glovebox/platform/tracing';
import type { ReactAsync, RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { type AcceptContext, reactAsync } from '../async/react-async.ts';
import { callbackOf } from '../reactors/callback-of.ts';
import { react } from '../reactors/react.ts';
import type { RunnerInbound } from './serve-exchange.ts';

export interface RunReactorContext extends AcceptContext {
  /** Which addresses results may be sent to. */
  readonly callbackPolicy: EgressPolicy;
}

/** Invokes a published reactor once, or accepts to when the body names an address for the result. @throws AppError */
export async function runReactor(
  context: RunReactorContext,
  { reactorId, apiKey, body }: RunReactor,
  inbound: RunnerInbound,
  trace: Context | undefined,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const { correlationId } = inbound.call;
  const invoker = { credential: apiKey, correlationId, trace, caller: inbound, depth: 0 };
  const callbackUrl = callbackOf(body, context.callbackPolicy);
  if (callbackUrl === undefined) return react(context, { reactorId, body }, invoker);
  return reactAsync(context, { reactorId, body, callbackUrl }, invoker);
}

/** Accepts an invocation of a published reactor. @throws AppError */
export function runReactorAsync(
  context: AcceptContext,
  { reactorId, apiKey, body }: ReactAsync,
  inbound: RunnerInbound,
  trace: Context | undefined,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const { correlationId } = inbound.call;
  return reactAsync(
    context,
    { reactorId, body },
    { credential: apiKey, correlationId, trace, caller: inbound, depth: 0 },
  );
}
