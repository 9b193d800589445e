import { AppError } from '@glovebox/platform/errors/app-error';
import type { ShadowRuns } from '@glovebox/published/shadow-runs';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { takeTurn } from '../authentication/admit.ts';
import type { DestinationGates, Passage } from '../destinations/destination-gates.ts';
import { type ResponseGuard, guarded } from '../guard/response-guard.ts';
import type { Exchange } from '../http/exchange.ts';
import { redactError } from '../http/own-answer.ts';
import { respondRaw } from '../http/respond.ts';
import { type IdempotencyDependencies, invokeIdempotently } from '../idempotency/invoke-idempotently.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { type DetokenizeDependencies, detokenizeRequest } from './detokenize/detokenize-request.ts';
import { dryRunProxy } from './dry-run/dry-run-proxy.ts';
import { type ForwardDependencies, forward } from './forward/forward.ts';
import { guardOwnAnswer } from './forward/make-guard.ts';
import { type Destination, destinationOf } from './forward/outbound-request.ts';
import { type ReceiveLimits, receiveRequest } from './receive/receive-request.ts';
import { type JudgeDependencies, judgeDestination } from './resolve/judge-destination.ts';
import { type ProxyInvocation, beginInvocation } from './resolve/proxy-invocation.ts';
import { reachOf } from './resolve/reach.ts';
import { type ResolveDependencies, resolveProxy } from './resolve/resolve.ts';
import { type Shadow, shadowOf } from './shadow/shadow.ts';
import { tryAfterAnswer } from './shadow/try-version.ts';
import { transformRequest } from './transform/transform-request.ts';
import { transformResponse } from './transform/transform-response.ts';
import type { TransformDependencies } from './transform/transformation.ts';

export interface ProxyDependencies
  extends
    ResolveDependencies,
    JudgeDependencies,
    IdempotencyDependencies,
    ReceiveLimits,
    DetokenizeDependencies,
    TransformDependencies,
    ForwardDependencies {
  readonly vault: VaultClient;
  readonly runner: RunnerClient;
  readonly gates: DestinationGates;
  /** Emits the webhook event of an invocation that has ended, counts it for its rollout, and keeps its outline. */
  emitInvocation(invocation: ProxyInvocation): void;
  /** Tries the second versions of rollouts that serve nobody. */
  readonly shadows: Pick<ShadowRuns, 'begin'>;
  /** Tells the operator and the tenant that an answer held a value which was filled into the request. */
  emitLeak(invocation: ProxyInvocation, guard: ResponseGuard): void;
}

/** Invokes a proxy: the life of one proxied request (contract/proxies.md#invocation), top to bottom. */
export async function handleProxy(exchange: Exchange, dependencies: ProxyDependencies): Promise<void> {
  refuseServiceWorker(exchange);
  if (exchange.isDryRun) return dryRunProxy(exchange, dependencies);
  const resolved = await resolveProxy(exchange, dependencies);
  const { proxy, caller } = resolved;
  const turn = takeTurn(exchange, proxy.tenantId);
  if (turn !== undefined) await turn;
  const judged = judgeDestination(exchange, resolved, dependencies);
  if (judged instanceof Promise) await judged;
  await invokeIdempotently(exchange, caller, proxy.id || proxy.destinationUrl, dependencies, (progress) =>
    invoke(beginInvocation(exchange, resolved, progress), dependencies),
  );
}

async function invoke(invocation: ProxyInvocation, dependencies: ProxyDependencies): Promise<void> {
  const { exchange } = invocation;
  const shadow = shadowOf(invocation);
  exchange.onEnded = () => {
    dependencies.emitInvocation(invocation);
    if (shadow !== undefined) tryAfterAnswer(shadow, dependencies);
    if (invocation.guard?.hasFound === true) dependencies.emitLeak(invocation, invocation.guard);
  };
  try {
    const destination = destinationOf(invocation);
    const passage = dependencies.gates.admit(groupOf(invocation), gateOf(invocation, destination));
    try {
      await send(invocation, destination, passage, shadow, dependencies);
    } finally {
      passage.leave();
    }
  } catch (error) {
    throw redactError(await guardOwnAnswer(error, invocation, dependencies), invocation.filledValues);
  }
}

async function send(
  invocation: ProxyInvocation,
  destination: Destination,
  passage: Passage,
  shadow: Shadow | undefined,
  dependencies: ProxyDependencies,
): Promise<void> {
  const reach = reachOf(invocation, destination, dependencies);
  invocation.reach = reach instanceof Promise ? await reach : reach;
  const received = await receiveRequest(invocation, dependencies);
  const detokenized = await detokenizeRequest(invocation, received, dependencies);
  const request = await transformRequest(invocation, detokenized, dependencies);
  shadow?.tookRequest(detokenized, request);
  const response = await forward(invocation, destination, passage, request, dependencies);
  if (response === 'streamed') return;
  const answer = await transformResponse(invocation, response, dependencies);
  shadow?.tookResponse(response, answer);
  respondRaw(invocation.exchange, guarded(answer, invocation.guard));
}

/** Requests that anybody can send must not keep a destination from the tenant's own services. */
function groupOf({ proxy, caller }: ProxyInvocation): string {
  const isOwn = caller !== undefined && caller.principal.applicationType !== 'public';
  return isOwn ? proxy.tenantId : `${proxy.tenantId} strangers`;
}

/** A version of a proxy whose `destination_tls` does not fit keeps the destination from no other. */
function gateOf({ proxy }: ProxyInvocation, { origin }: Destination): string {
  return proxy.destinationTls === undefined ? origin : `${origin} ${proxy.id} ${proxy.version}`;
}

/**
 * A service worker would answer for this whole origin (Service Workers, section 4.1).
 * @throws AppError `permission_denied` for a request for the script of one
 */
function refuseServiceWorker({ headers: { serviceWorker } }: Exchange): void {
  if (serviceWorker?.trim().toLowerCase() !== 'script') return;
  throw new AppError('permission_denied', 'A proxied response cannot be the script of a service worker.');
}
