import { publicCallersOf } from '@glovebox/access/public-callers';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ShadowRuns } from '@glovebox/published/shadow-runs';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { waitForTurn } from '../authentication/admit.ts';
import type { DestinationGates, Passage } from '../destinations/destination-gates.ts';
import { type ResponseGuard, guarded } from '../guard/response-guard.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendResponse } from '../http/respond.ts';
import { redactError } from '../http/thrown-response.ts';
import { type IdempotencyDependencies, invokeIdempotently } from '../idempotency/invoke-idempotently.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { type DetokenizeDependencies, detokenizeRequest } from './detokenize/detokenize-request.ts';
import { dryRunProxy } from './dry-run/dry-run-proxy.ts';
import { type ForwardDependencies, forward } from './forward/forward.ts';
import { guardThrownResponse } from './forward/make-guard.ts';
import { type Destination, destinationOf } from './forward/outbound-request.ts';
import { type ReceiveLimits, receiveRequest } from './receive/receive-request.ts';
import { type EgressPolicyDependencies, enforceEgressPolicy } from './resolve/enforce-egress-policy.ts';
import { type ProxyInvocation, createInvocation } from './resolve/proxy-invocation.ts';
import { reachOf } from './resolve/reach.ts';
import { type ResolveDependencies, resolveProxy } from './resolve/resolve.ts';
import { type Shadow, createShadow } from './shadow/shadow.ts';
import { tryAfterAnswer } from './shadow/try-version.ts';
import { transformRequest } from './transform/transform-request.ts';
import { transformResponse } from './transform/transform-response.ts';
import type { TransformDependencies } from './transform/transformation.ts';

export interface ProxyDependencies
  extends
    ResolveDependencies,
    EgressPolicyDependencies,
    IdempotencyDependencies,
    ReceiveLimits,
    DetokenizeDependencies,
    TransformDependencies,
    ForwardDependencies {
  readonly vault: VaultClient;
  readonly runner: RunnerClient;
  readonly gates: DestinationGates;
  /** Emits the webhook event of an invocation that has ended, counts it for its rollout, and keeps its outline. */
  recordInvocation(invocation: ProxyInvocation): void;
  /** Runs shadows. */
  readonly shadows: Pick<ShadowRuns, 'begin'>;
  /** Reports to the operator and the tenant that an answer contained a value from its own request. */
  emitLeak(invocation: ProxyInvocation, guard: ResponseGuard): void;
}

/** Invokes a proxy: the life of one proxied request (contract/proxies.md#invocation), top to bottom. */
export async function handleProxy(exchange: Exchange, dependencies: ProxyDependencies): Promise<void> {
  refuseServiceWorker(exchange);
  if (exchange.isDryRun) return dryRunProxy(exchange, dependencies);
  const resolved = await resolveProxy(exchange, dependencies);
  const { proxy, caller } = resolved;
  const turn = waitForTurn(exchange, proxy.tenantId);
  if (turn !== undefined) await turn;
  const enforced = enforceEgressPolicy(exchange, resolved, dependencies);
  // To await what is there already would cost each request a turn of the event loop's queue.
  if (enforced instanceof Promise) await enforced;
  const subject = proxy.id || proxy.destinationUrl;
  await invokeIdempotently(exchange, caller, subject, dependencies, (progress) =>
    invoke(createInvocation(exchange, resolved, progress), dependencies),
  );
}

async function invoke(invocation: ProxyInvocation, dependencies: ProxyDependencies): Promise<void> {
  const { exchange } = invocation;
  const shadow = createShadow(invocation);
  exchange.onEnded = () => {
    dependencies.recordInvocation(invocation);
    if (shadow !== undefined) tryAfterAnswer(shadow, dependencies);
    if (invocation.guard?.hasFound === true) dependencies.emitLeak(invocation, invocation.guard);
  };
  try {
    const destination = destinationOf(invocation);
    const passage = dependencies.gates.admit(callersOf(invocation), circuitOf(invocation, destination));
    try {
      await runSteps(invocation, destination, passage, shadow, dependencies);
    } finally {
      passage.leave();
    }
  } catch (error) {
    throw redactError(await guardThrownResponse(error, invocation, dependencies), invocation.filledValues);
  }
}

async function runSteps(
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
  shadow?.keepRequest(detokenized, request);
  const response = await forward(invocation, destination, passage, request, dependencies);
  if (response === 'streamed') return;
  const transformed = await transformResponse(invocation, response, dependencies);
  shadow?.keepResponse(response, transformed);
  sendResponse(invocation.exchange, guarded(transformed, invocation.guard));
}

/** Requests that anybody can send open no circuit, and take no slot, of the tenant's own services. */
function callersOf({ proxy, caller }: ProxyInvocation): string {
  const isOwn = caller !== undefined && caller.principal.applicationType !== 'public';
  return isOwn ? proxy.tenantId : publicCallersOf(proxy.tenantId);
}

/** A version of a proxy whose `destination_tls` does not fit opens no circuit of another. */
function circuitOf({ proxy }: ProxyInvocation, { origin }: Destination): string {
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
