import type { Context } from '@glovebox/platform/tracing';
import type { ReactAsync, RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { type AcceptContext, reactAsync } from '../async/react-async.ts';
import type { ReactContext } from '../reactors/react-context.ts';
import { react } from '../reactors/react.ts';
import type { RunnerInbound } from './serve-exchange.ts';

/** Invokes a published reactor once. @throws AppError */
export function runReactor(
  context: ReactContext,
  { reactorId, apiKey, body }: RunReactor,
  inbound: RunnerInbound,
  trace: Context | undefined,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const { correlationId } = inbound.call;
  return react(
    context,
    { reactorId, body },
    { credential: apiKey, correlationId, trace, caller: inbound, depth: 0 },
  );
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
