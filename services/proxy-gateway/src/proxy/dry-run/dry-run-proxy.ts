import { grantsFor, invokesOnly } from '@glovebox/access/rules';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { expressionsIn, placesIn, pointerStep } from '@glovebox/expressions/places';
import { AppError } from '@glovebox/platform/errors/app-error';
import { toErrorObject } from '@glovebox/platform/errors/http';
import { egressReason } from '@glovebox/published/tenant-egress';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { waitForTurn } from '../../authentication/admit.ts';
import type { AuthenticatedCaller } from '../../authentication/authenticate.ts';
import type { Exchange } from '../../http/exchange.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import { respondJson } from '../../http/respond.ts';
import { untracked } from '../../idempotency/invocation-progress.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import { type DetokenizeDependencies, detokenizeRequest } from '../detokenize/detokenize-request.ts';
import {
  type Destination,
  type OutboundMessage,
  destinationOf,
  sentHeaders,
} from '../forward/outbound-request.ts';
import { type ReceiveLimits, type ReceivedRequest, receiveRequest } from '../receive/receive-request.ts';
import type { EgressPolicyDependencies } from '../resolve/enforce-egress-policy.ts';
import { type ProxyInvocation, createInvocation } from '../resolve/proxy-invocation.ts';
import { reachOf } from '../resolve/reach.ts';
import {
  type ResolveDependencies,
  type ResolvedProxy,
  resolveProxy,
  unknownProxy,
} from '../resolve/resolve.ts';
import { transformRequest } from '../transform/transform-request.ts';
import type { RequestTransformDependencies } from '../transform/transformation.ts';
import { changesBetween } from './changes.ts';
import { CodeEnded, DryRunner } from './dry-runner.ts';
import { DryVault } from './dry-vault.ts';

export interface DryRunDependencies
  extends ResolveDependencies, ReceiveLimits, Pick<EgressPolicyDependencies, 'published'> {
  readonly vault: DetokenizeDependencies['vault'] &
    RequestTransformDependencies['vault'] &
    Pick<VaultClient, 'dryDetokenize'>;
  readonly runner: Pick<RunnerClient, 'dryTransform' | 'requireConnection'>;
  readonly maxFilledBytes: number;
}

/** What would happen to the request. */
interface Decided {
  readonly outcome: 'would_send' | 'would_return' | 'refused';
  readonly error?: object;
  readonly request?: object;
  readonly result?: object;
}

type Steps = object[];

/**
 * Decides everything about a proxied request, and does nothing (contract/dry-runs.md#dry-runs): nothing is opened, sent,
 * made, counted or reported. It reads like `handleProxy`.
 * @throws AppError for a caller who may not invoke the proxy at all
 */
export async function dryRunProxy(exchange: Exchange, dependencies: DryRunDependencies): Promise<void> {
  const steps: Steps = [];
  const started = performance.now();
  const resolved = await resolveProxy(exchange, dependencies);
  const { proxy, caller } = resolved;
  if (caller === undefined) {
    throw new AppError(
      'unauthenticated',
      'A dry run needs SVC-API-KEY, of a proxy for anonymous requests too.',
    );
  }
  steps.push({ name: 'resolve', duration_ms: since(started) });
  steps.push({ name: 'authorize', duration_ms: 0, ...authorized(caller) });
  const turn = waitForTurn(exchange, proxy.tenantId);
  if (turn !== undefined) await turn;
  const decided = await decide(exchange, resolved, steps, dependencies).catch((error: unknown) =>
    refused(error, exchange),
  );
  const { principal } = caller;
  const answer = {
    dry_run: true,
    outcome: decided.outcome,
    error: decided.error,
    subject: { type: 'proxy', ...(proxy.id === '' ? {} : { id: proxy.id, version: proxy.version }) },
    caller: { application_id: principal.applicationId, type: principal.applicationType },
    steps,
    request: decided.request,
    result: decided.result,
  };
  respondJson(exchange, 200, JSON.stringify(answer));
}

/** What the request would be refused with. @throws what says nothing of the request */
function refused(error: unknown, exchange: Exchange): Decided {
  if (error instanceof CodeEnded) {
    const { ending } = error;
    if (ending.kind === 'refused') return { outcome: 'refused', error: ending.error };
    return { outcome: 'would_return', result: ending.response };
  }
  if (!(error instanceof AppError) || error.cause !== undefined || passing.has(error.code)) throw error;
  return { outcome: 'refused', error: toErrorObject(error, exchange) };
}

const passing: ReadonlySet<string> = new Set([
  'unavailable',
  'cancelled',
  'deadline_exceeded',
  'rate_limited',
]);

async function decide(
  exchange: Exchange,
  resolved: ResolvedProxy,
  steps: Steps,
  dependencies: DryRunDependencies,
): Promise<Decided> {
  const invocation = createInvocation(exchange, resolved, untracked);
  const destination = destinationOf(invocation);
  const egress = await judge(resolved, destination, dependencies);
  if (!egress.allowed) {
    steps.push(egress);
    const text = `The egress policy of the tenant does not allow requests to ${destination.place}.`;
    throw new AppError('destination_not_allowed', text);
  }
  invocation.reach = await reachOf(invocation, destination, dependencies);
  const received = await receiveRequest(invocation, dependencies);
  const message = await fillAndTransform(invocation, received, steps, dependencies);
  steps.push(egress);
  return { outcome: 'would_send', request: shownRequest(exchange, destination, message) };
}

/** Each half adds its step, also where it fails. */
async function fillAndTransform(
  invocation: ProxyInvocation,
  received: ReceivedRequest,
  steps: Steps,
  dependencies: DryRunDependencies,
): Promise<OutboundMessage> {
  const vault = new DryVault(dependencies.vault);
  const runner = new DryRunner(dependencies.runner);
  const dry = { ...dependencies, vault, runner };
  const detokenizing = performance.now();
  const places = invocation.proxy.disableDetokenization ? [] : placesOf(invocation.exchange, received);
  const detokenized = await detokenizeRequest(invocation, received, dry).finally(() => {
    const expressions = vault.describe(places);
    steps.push({ name: 'detokenize', duration_ms: since(detokenizing), expressions });
  });
  let message: OutboundMessage | undefined;
  try {
    message = await transformRequest(invocation, detokenized, dry);
    return message;
  } finally {
    if (runner.step !== undefined) {
      const before = { headers: detokenized.headers, body: detokenized.body ?? null };
      const changes = message === undefined ? [] : changesBetween(comparable(before), comparable(message));
      steps.push({ name: 'transform', ...runner.step, changes });
    }
  }
}

function placesOf(exchange: Exchange, { headers, grammar, body }: ReceivedRequest) {
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: 0 };
  const inHeaders = headers.flatMap((name, at) => {
    if (at % 2 === 1 || headers[at + 1]?.includes('{{') !== true) return [];
    const place = `/headers${pointerStep(name)}`;
    return expressionsIn(headers[at + 1] ?? '', limits).map((expression) => ({ expression, place }));
  });
  return [...(body.kind === 'whole' ? placesIn(grammar, body.text, '/body', limits) : []), ...inHeaders];
}

interface Compared {
  readonly headers: readonly string[];
  readonly body: unknown;
}

/** With a JSON body as what it says, so that its members are compared. */
function comparable({ headers, body }: Compared): object {
  const text = textOf(body);
  const type = Object.entries(headerObject(headers)).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  const isJson = text !== null && bodyGrammar(typeof type === 'string' ? type : undefined).kind === 'json';
  return { headers: { ...headerObject(headers) }, body: isJson ? jsonOr(text) : text };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Null for none, and for one that was not read. */
function textOf(body: unknown): string | null {
  return Buffer.isBuffer(body) && body.length > 0 ? body.toString() : null;
}

function shownRequest(
  exchange: Exchange,
  { origin, path, connection }: Destination,
  message: OutboundMessage,
): object {
  return {
    method: exchange.request.method,
    url: origin + path,
    headers: { ...headerObject([...sentHeaders(message.headers, message, exchange), ...connection]) },
    body: textOf(message.body),
  };
}

/** Checks the host against the tenant's policy, without recording a violation. @throws AppError `not_found` when the tenant is gone */
async function judge(
  { proxy }: ResolvedProxy,
  { place: host }: Destination,
  { published }: Pick<DryRunDependencies, 'published'>,
) {
  const started = performance.now();
  const tenant = await published.tenantById(proxy.tenantId);
  if (tenant === undefined) throw unknownProxy();
  const reason = tenant.egress === undefined ? undefined : egressReason(tenant.egress, host, proxy.id === '');
  const allowed = reason === undefined || tenant.egress?.isEnforced !== true;
  return { name: 'egress', duration_ms: since(started), host, allowed, reason };
}

/** Which rule lets the caller use tokens at all. */
function authorized({ principal }: AuthenticatedCaller): object {
  const grants = grantsFor(principal.grants, 'token:use');
  const priority = grants.find((one) => one.decision.allowed || invokesOnly(one))?.decision.rule;
  return { permission: 'token:use', ...(priority == null ? {} : { rule: { priority } }) };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
