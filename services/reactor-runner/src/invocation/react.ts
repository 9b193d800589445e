import { AppError } from '@glovebox/platform/errors/app-error';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { RunReactor } from '@glovebox/protos/runner/v1/runner';
import type { ApplicationRecord } from '@glovebox/published/records';

import { isRefused } from '../deliveries/egress-check.ts';
import type { LeakDetails } from '../deliveries/leak-event.ts';
import { type Refusal, type Reply, errorsOf } from '../replies/reply.ts';
import { argsOf } from './args-of.ts';
import { authorizeInvoker } from './authorize-invoker.ts';
import type { DecidesBy } from './choose-version.ts';
import { countVersion } from './count-version.ts';
import { type DetokenizedArgs, detokenizeArgs } from './detokenize-args.ts';
import { fitArguments } from './fit-arguments.ts';
import { guardReply, makeGuard } from './guard-result.ts';
import type { Invoker, ReactContext } from './invoker.ts';
import { reachOf } from './reach.ts';
import { readResult, responseText } from './read-result.ts';
import { type ResolvedReactor, resolveReactor } from './resolve-reactor.ts';
import { type FormulaArguments, runFormula } from './run-formula.ts';
import { tokenizeResult } from './tokenize-result.ts';
import { tryShadow } from './try-shadow.ts';

interface ReactRequest extends Pick<RunReactor, 'reactorId' | 'body'> {
  /** Where the result is sent. */
  readonly callbackUrl?: string;
  /** What decides in a rollout. */
  readonly by?: DecidesBy;
}

interface Prepared extends DetokenizedArgs {
  readonly reactor: ResolvedReactor;
  /** The invoker's. */
  readonly application: ApplicationRecord;
}

/** Invokes a reactor: contract/reactors.md#invocation, top to bottom. @throws AppError */
export async function react(context: ReactContext, request: ReactRequest, invoker: Invoker): Promise<Reply> {
  const { reactor, application, ...args } = await prepare(context, request, invoker);
  const invocation = {
    tenantId: reactor.tenantId,
    reactorId: reactor.id,
    reactorName: reactor.name,
    applicationId: application.principal.applicationId,
    correlationId: invoker.correlationId,
  };
  return countVersion(context.rollouts, reactor.rollout, () =>
    context.events.around(invocation, () => perform(context, args, invoker, reactor, invocation)),
  );
}

/** The first half: resolves, authorizes, and makes the arguments ready. @throws AppError */
export async function prepare(
  context: ReactContext,
  { reactorId, body, callbackUrl, by }: ReactRequest,
  invoker: Invoker,
): Promise<Prepared> {
  const reactor = await resolveReactor(context.published, reactorId, by);
  const application = await authorizeInvoker(context.published, invoker, reactor);
  if (callbackUrl !== undefined) {
    await requireCallback(context, { reactor, application, callbackUrl }, invoker);
  }
  const reach = await reachOf(context.published, reactor, invoker, callbackUrl);
  const { args, ...filled } = await detokenizeArgs(context, argsOf(body), invoker, reactor, reach);
  return { reactor, application, args: fitArguments(reactor.requestParameters, args), ...filled };
}

interface Callback extends Pick<Prepared, 'reactor' | 'application'> {
  readonly callbackUrl: string;
}

/** Before anything is detokenized for it. @throws AppError `destination_not_allowed` */
async function requireCallback(
  context: ReactContext,
  { reactor, application, callbackUrl }: Callback,
  { correlationId }: Invoker,
): Promise<void> {
  const sender = {
    tenantId: reactor.tenantId,
    subjectType: 'reactor',
    subjectId: reactor.id,
    applicationId: application.principal.applicationId,
    correlationId,
  };
  if (!(await isRefused(context, sender, new URL(callbackUrl)))) return;
  throw new AppError(
    'destination_not_allowed',
    'The egress policy of the tenant does not allow the host of the callback.',
  );
}

/** The second half, on arguments that are ready. It may happen later, and in another process. @throws AppError */
export async function perform(
  context: ReactContext,
  { args, values, guarded }: DetokenizedArgs,
  invoker: Invoker,
  reactor: ResolvedReactor,
  invocation: LeakDetails,
): Promise<Reply> {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  try {
    const guard = await makeGuard(context, reactor, guarded);
    const reply = await runAndTokenize(context, { args, known }, invoker, reactor);
    if (guard === undefined) return reply;
    return guardReply(reply, guard, () => context.onLeak(invocation, guard.mode));
  } catch (error) {
    throw error instanceof AppError ? known.redactError(error) : error;
  }
}

async function runAndTokenize(
  context: ReactContext,
  { args, known }: FormulaArguments,
  invoker: Invoker,
  reactor: ResolvedReactor,
): Promise<Reply> {
  const reply = await runFormula(context, { args, known }, invoker, reactor);
  if (reply.$case === 'refused') return { $case: 'refused', value: redacted(reply.value, known) };
  if (reply.$case !== 'returned') return reply;
  const result = readResult(reply.value.result);
  const tokens = await tokenizeResult(context, result.tokenize, invoker, reactor);
  tryShadow(context, { reactor, args, result, correlationId: invoker.correlationId });
  return {
    $case: 'answered',
    value: { json: responseText(tokens, result.raw), unselectedPaths: [], leaks: false },
  };
}

function redacted(refusal: Refusal, known: KnownValues): Refusal {
  const { detail, errors } = known.redactProblem({ detail: refusal.detail, errors: errorsOf(refusal) });
  const problems = Object.entries(errors).map(([path, messages]) => ({ path, messages: [...messages] }));
  return { status: refusal.status, detail, problems };
}
