import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { strictFindings, unselectedPath } from '@glovebox/platform/http/warnings';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import type { ReactAsync, RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { callbackOf } from '../invocation/callback-of.ts';
import type { Invoker } from '../invocation/invoker.ts';
import { react } from '../invocation/react.ts';
import type { Caller } from '../worker-process/worker-process.ts';
import { type AcceptContext, reactAsync } from './accept-invocation.ts';

export interface RunReactorContext extends AcceptContext {
  /** Which addresses results may be sent to. */
  readonly callbackPolicy: EgressPolicy;
}

/** Invokes a published reactor once, or accepts to when the body names an address for the result. @throws AppError */
export async function runReactor(
  context: RunReactorContext,
  { reactorId, apiKey, body, strict }: RunReactor,
  caller: Caller,
  correlationId: string,
  trace: Context | undefined,
): Promise<Outcome> {
  const callbackUrl = callbackOf(body, context.callbackPolicy);
  return withPaths(strict, (onUnselected) => {
    const invoker = { ...invokerOf(caller, correlationId, apiKey, trace), onUnselected };
    if (callbackUrl === undefined) return react(context, { reactorId, body }, invoker);
    return reactAsync(context, { reactorId, body, callbackUrl }, invoker);
  });
}

/** Accepts an invocation of a published reactor. @throws AppError */
export function runReactorAsync(
  context: AcceptContext,
  { reactorId, apiKey, body, strict }: ReactAsync,
  caller: Caller,
  correlationId: string,
  trace: Context | undefined,
): Promise<Outcome> {
  return withPaths(strict, (onUnselected) =>
    reactAsync(
      context,
      { reactorId, body },
      { ...invokerOf(caller, correlationId, apiKey, trace), onUnselected },
    ),
  );
}

type Outcome = NonNullable<RunnerReply['outcome']>;

function invokerOf(caller: Caller, correlationId: string, credential: string, trace: Context | undefined) {
  return { credential, correlationId, trace, caller, depth: 0 };
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
