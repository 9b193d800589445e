import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { strictFindings, unselectedPath } from '@glovebox/platform/http/warnings';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import type { ReactAsync, RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { type AcceptContext, reactAsync } from '../async/react-async.ts';
import { callbackOf } from '../reactors/callback-of.ts';
import type { Invoker } from '../reactors/invoker.ts';
import { react } from '../reactors/react.ts';
import type { RunnerInbound } from './serve-exchange.ts';

export interface RunReactorContext extends AcceptContext {
  /** Which addresses results may be sent to. */
  readonly callbackPolicy: EgressPolicy;
}

/** Invokes a published reactor once, or accepts to when the body names an address for the result. @throws AppError */
export async function runReactor(
  context: RunReactorContext,
  { reactorId, apiKey, body, strict }: RunReactor,
  inbound: RunnerInbound,
  trace: Context | undefined,
): Promise<Outcome> {
  const callbackUrl = callbackOf(body, context.callbackPolicy);
  return withPaths(strict, (onUnselected) => {
    const invoker = { ...invokerOf(inbound, apiKey, trace), onUnselected };
    if (callbackUrl === undefined) return react(context, { reactorId, body }, invoker);
    return reactAsync(context, { reactorId, body, callbackUrl }, invoker);
  });
}

/** Accepts an invocation of a published reactor. @throws AppError */
export function runReactorAsync(
  context: AcceptContext,
  { reactorId, apiKey, body, strict }: ReactAsync,
  inbound: RunnerInbound,
  trace: Context | undefined,
): Promise<Outcome> {
  return withPaths(strict, (onUnselected) =>
    reactAsync(context, { reactorId, body }, { ...invokerOf(inbound, apiKey, trace), onUnselected }),
  );
}

type Outcome = NonNullable<RunnerReply['outcome']>;

function invokerOf(inbound: RunnerInbound, credential: string, trace: Context | undefined) {
  return { credential, correlationId: inbound.call.correlationId, trace, caller: inbound, depth: 0 };
}

/** An answer says which paths of its expressions select nothing; to who is strict that is an error before the code runs. */
async function withPaths(
  strict: boolean | undefined,
  invoke: (onUnselected: NonNullable<Invoker['onUnselected']>) => Promise<Outcome>,
): Promise<Outcome> {
  const unselectedPaths: string[] = [];
  const outcome = await invoke((paths) => {
    if (strict === true) throw strictFindings(paths.map(unselectedPath));
    unselectedPaths.push(...paths);
  });
  if (outcome.$case === 'answered') return { ...outcome, value: { ...outcome.value, unselectedPaths } };
  if (outcome.$case === 'accepted') return { ...outcome, value: { ...outcome.value, unselectedPaths } };
  return outcome;
}
