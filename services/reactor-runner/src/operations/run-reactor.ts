import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { strictFindings, unselectedPath } from '@glovebox/platform/http/warnings';
import type { ReactAsync, RunReactor } from '@glovebox/protos/runner/v1/runner';

import { callbackOf } from '../invocation/callback-of.ts';
import type { Invoker, Origin } from '../invocation/invoker.ts';
import { react } from '../invocation/react.ts';
import type { Reply } from '../replies/reply.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import { type AcceptContext, acceptInvocation } from './accept-invocation.ts';

export interface RunReactorContext extends AcceptContext {
  /** Which addresses results may be sent to. */
  readonly callbackPolicy: EgressPolicy;
}

/** Invokes a published reactor once, or accepts the invocation when the body names a callback. @throws AppError */
export async function runReactor(
  context: RunReactorContext,
  { reactorId, apiKey, body, strict, by }: RunReactor,
  lifetime: CallLifetime,
  origin: Origin,
): Promise<Reply> {
  const callbackUrl = callbackOf(body, context.callbackPolicy);
  return withPaths(strict, (onUnselected) => {
    const invoker = { credential: apiKey, ...origin, lifetime, depth: 0, onUnselected };
    if (callbackUrl === undefined) return react(context, { reactorId, body, by }, invoker);
    return acceptInvocation(context, { reactorId, body, callbackUrl, by }, invoker);
  });
}

/** Accepts an invocation of a published reactor. @throws AppError */
export function runReactorAsync(
  context: AcceptContext,
  { reactorId, apiKey, body, strict, by }: ReactAsync,
  lifetime: CallLifetime,
  origin: Origin,
): Promise<Reply> {
  return withPaths(strict, (onUnselected) => {
    const invoker = { credential: apiKey, ...origin, lifetime, depth: 0, onUnselected };
    return acceptInvocation(context, { reactorId, body, by }, invoker);
  });
}

/** Collects the paths of expressions that select nothing. In strict mode they are an error before the code runs. */
async function withPaths(
  strict: boolean | undefined,
  invoke: (onUnselected: NonNullable<Invoker['onUnselected']>) => Promise<Reply>,
): Promise<Reply> {
  const unselectedPaths: string[] = [];
  const reply = await invoke((paths) => {
    if (strict === true) throw strictFindings(paths.map(unselectedPath));
    unselectedPaths.push(...paths);
  });
  if (reply.$case === 'answered') return { ...reply, value: { ...reply.value, unselectedPaths } };
  if (reply.$case === 'accepted') return { ...reply, value: { ...reply.value, unselectedPaths } };
  return reply;
}
