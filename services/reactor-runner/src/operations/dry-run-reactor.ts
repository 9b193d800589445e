import { placeOf } from '@glovebox/access/host-set';
import { grantsFor, invokesOnly } from '@glovebox/access/rules';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { findExpressions } from '@glovebox/expressions/find-expressions';
import { placesIn } from '@glovebox/expressions/places';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { toErrorObject } from '@glovebox/platform/errors/http';
import { strictFindings, unselectedPath } from '@glovebox/platform/http/warnings';
import type { DryRunReactor, RunReactor } from '@glovebox/protos/runner/v1/runner';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';
import { egressReason } from '@glovebox/published/tenant-egress';
import { describeExpression } from '@glovebox/vault-client/describe-expression';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { ReactorConfigurations } from '../configurations/reactor-configurations.ts';
import { argsOf } from '../invocation/args-of.ts';
import { authorizeInvoker } from '../invocation/authorize-invoker.ts';
import { callbackOf } from '../invocation/callback-of.ts';
import { type DetokenizeContext, translated } from '../invocation/detokenize-args.ts';
import { type DryCodeContext, type DryOutcome, runDry } from '../invocation/dry-code.ts';
import { fitArguments } from '../invocation/fit-arguments.ts';
import { type Invoker, type Origin, vaultCaller } from '../invocation/invoker.ts';
import { reachOf } from '../invocation/reach.ts';
import { readResult, responseText } from '../invocation/read-result.ts';
import { type ResolvedReactor, resolveReactor } from '../invocation/resolve-reactor.ts';
import type { Reply } from '../replies/reply.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';

export interface DryReactorContext extends DryCodeContext {
  readonly published: PublishedRecords;
  readonly vault: Pick<VaultClient, 'dryDetokenize'>;
  /** Stand-ins. */
  readonly dryConfigurations: Pick<ReactorConfigurations, 'of'>;
  readonly callbackPolicy: EgressPolicy;
  readonly limits: DryCodeContext['limits'] & DetokenizeContext['limits'];
}

interface DryReact extends Pick<RunReactor, 'body' | 'strict'> {
  readonly reactor: ResolvedReactor;
  readonly invoker: Invoker;
  /** Each step adds what it has decided. */
  readonly steps: object[];
}

/** What would be answered. */
interface Decided {
  readonly outcome: 'would_return' | 'refused';
  readonly error?: object;
  /** JSON text. */
  readonly result?: string;
}

/**
 * Decides everything about an invocation, and does nothing (contract/dry-runs.md#dry-runs).
 * @throws AppError for a caller who may not invoke the reactor at all
 */
export async function dryRunReactor(
  context: DryReactorContext,
  { reactor: call }: DryRunReactor,
  lifetime: CallLifetime,
  origin: Origin,
): Promise<Reply> {
  if (call === undefined) throw validationError({ reactor: ['is required'] });
  const started = performance.now();
  const invoker: Invoker = { credential: call.apiKey, ...origin, lifetime, depth: 0 };
  const reactor = await resolveReactor(context.published, call.reactorId, call.by);
  const steps: object[] = [{ name: 'resolve', duration_ms: since(started) }];
  const authorizing = performance.now();
  const application = await authorizeInvoker(context.published, invoker, reactor);
  steps.push({ name: 'authorize', duration_ms: since(authorizing), ...authorized(application) });
  const decided = await decide(context, { ...call, reactor, invoker, steps }).catch((error: unknown) =>
    refused(error, { correlationId: origin.correlationId, docsUrl: context.docsUrl }),
  );
  return { $case: 'dryRan', value: { json: answer(reactor, application, steps, decided) } };
}

function answer(
  { id, version, rollout }: ResolvedReactor,
  { principal }: ApplicationRecord,
  steps: readonly object[],
  { outcome, error, result }: Decided,
): Buffer {
  const text = JSON.stringify({
    dry_run: true,
    outcome,
    error,
    subject: { type: 'reactor', id, version: rollout?.version ?? version },
    caller: { application_id: principal.applicationId, type: principal.applicationType },
    steps,
  });
  // As the code wrote it: numbers keep their digits.
  return Buffer.from(result === undefined ? text : `${text.slice(0, -1)},"result":${result}}`);
}

/** What an invocation would be refused with. @throws what says nothing of the invocation */
function refused(error: unknown, occurrence: Parameters<typeof toErrorObject>[1]): Decided {
  if (!(error instanceof AppError) || error.cause !== undefined || passing.has(error.code)) throw error;
  return { outcome: 'refused', error: toErrorObject(error, occurrence) };
}

const passing: ReadonlySet<string> = new Set([
  'unavailable',
  'cancelled',
  'deadline_exceeded',
  'rate_limited',
]);

async function decide(context: DryReactorContext, dry: DryReact): Promise<Decided> {
  const callbackUrl = callbackOf(dry.body, context.callbackPolicy);
  if (callbackUrl !== undefined) await checkCallback(context, dry, new URL(callbackUrl));
  const args = await detokenize(context, dry, callbackUrl);
  const dryOutcome = await transform(context, dry, args);
  if (dryOutcome.kind === 'refused') return { outcome: 'refused', error: dryOutcome.error };
  const result =
    dryOutcome.kind === 'responded'
      ? JSON.stringify(dryOutcome.response)
      : resultText(readResult(dryOutcome.result));
  return { outcome: 'would_return', result };
}

/** No token is made: the block `tokenize` stays as the code returned it. */
function resultText({ raw, tokenize }: ReturnType<typeof readResult>): string {
  const result = responseText(undefined, raw).toString();
  if (tokenize === undefined) return result;
  return `${result.slice(0, -1)}${result === '{}' ? '' : ','}"tokenize":${tokenize}}`;
}

/** @returns the arguments with stand-ins in them, as JSON text. @throws AppError */
async function detokenize(
  { vault, limits, published }: DryReactorContext,
  { body, strict, reactor, invoker, steps }: DryReact,
  callbackUrl: string | undefined,
): Promise<string> {
  const started = performance.now();
  const args = argsOf(body);
  const json = { kind: 'json', utf8: true } as const;
  const bounds = { ...limits.expressions, maxFilledBytes: limits.argumentBytes };
  const found = translated(() => findExpressions(json, args, bounds, true));
  const expressions = [...found.expressions];
  const use = {
    expressions,
    purpose: UsePurpose.USE_PURPOSE_REACTOR,
    purposeId: reactor.id,
    reactorVersion: reactor.version,
    reach: await reachOf(published, reactor, invoker, callbackUrl),
  };
  const nothing = { expressions: [], refusal: undefined, unselectedPaths: [] };
  const dry =
    expressions.length === 0
      ? nothing
      : await vault.dryDetokenize(vaultCaller(invoker, invoker.credential), use);
  const places = translated(() => placesIn(json, args, '/args', bounds));
  const described = places.map((one) =>
    describeExpression(one, dry.expressions[expressions.indexOf(one.expression)]),
  );
  steps.push({ name: 'detokenize', duration_ms: since(started), expressions: described });
  if (dry.refusal !== undefined) throw fromWireError(dry.refusal);
  if (strict === true && dry.unselectedPaths.length > 0) {
    throw strictFindings(dry.unselectedPaths.map(unselectedPath));
  }
  const standIns = dry.expressions.map(({ standIn }) => standIn ?? 'null');
  return fitArguments(reactor.requestParameters, translated(() => found.fill(standIns)).toString());
}

async function transform(
  context: DryReactorContext,
  { reactor, invoker: { lifetime, correlationId }, steps }: DryReact,
  args: string,
): Promise<DryOutcome> {
  const configuration = (await context.dryConfigurations.of(reactor, correlationId)).reveal();
  const hasBt = reactor.delegation !== undefined;
  const bt = hasBt ? '' : ',"bt":null';
  const { step, dryOutcome } = await runDry(context, {
    tenantId: reactor.tenantId,
    code: reactor.code,
    codeVersion: `${reactor.id}:${reactor.version}`,
    isolates: 'dry',
    argument: Buffer.from(`{"args":${args},"configuration":${configuration}${bt}}`),
    lifetime,
    correlationId,
    hasBt,
  });
  steps.push({ name: 'transform', ...step, changes: [] });
  return dryOutcome;
}

/** @throws AppError `destination_not_allowed` */
async function checkCallback(
  { published }: Pick<DryReactorContext, 'published'>,
  { reactor: { tenantId }, steps }: DryReact,
  url: URL,
): Promise<void> {
  const host = placeOf(url);
  const tenant = await published.tenantById(tenantId);
  const reason = tenant?.egress === undefined ? undefined : egressReason(tenant.egress, host);
  const allowed = tenant !== undefined && (reason === undefined || tenant.egress?.isEnforced !== true);
  steps.push({ name: 'egress', duration_ms: 0, host, allowed, reason });
  if (allowed) return;
  throw new AppError(
    'destination_not_allowed',
    'The egress policy of the tenant does not allow the host of the callback.',
  );
}

/** Which rule lets it invoke reactors at all. */
function authorized({ principal }: ApplicationRecord): object {
  const grants = grantsFor(principal.grants, 'token:use');
  const priority = grants.find((one) => one.decision.allowed || invokesOnly(one))?.decision.rule;
  return { permission: 'token:use', ...(priority == null ? {} : { rule: { priority } }) };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
