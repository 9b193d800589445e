import { AppError } from '@glovebox/platform/errors/app-error';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { RunReactor } from '@glovebox/protos/runner/v1/runner';
import type { ApplicationRecord } from '@glovebox/published/records';

import { type Refusal, type Reply, errorsOf } from '../replies/reply.ts';
import { argsOf } from './args-of.ts';
import { authorizeInvoker } from './authorize-invoker.ts';
import { type DetokenizedArgs, detokenizeArgs } from './detokenize-args.ts';
import { fitArguments } from './fit-arguments.ts';
import type { Invoker, ReactContext } from './invoker.ts';
import { readResult, responseText } from './read-result.ts';
import { type ResolvedReactor, resolveReactor } from './resolve-reactor.ts';
import { runFormula } from './run-formula.ts';
import { tokenizeResult } from './tokenize-result.ts';

type ReactRequest = Pick<RunReactor, 'reactorId' | 'body'>;

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
  return context.events.around(invocation, () => perform(context, args, invoker, reactor));
}

/** The first half: resolves, authorizes, and makes the arguments ready. @throws AppError */
export async function prepare(
  context: ReactContext,
  { reactorId, body }: ReactRequest,
  invoker: Invoker,
): Promise<Prepared> {
  const reactor = await resolveReactor(context.registry, reactorId);
  const application = await authorizeInvoker(context.registry, invoker, reactor);
  const { args, values } = await detokenizeArgs(context, argsOf(body), invoker, reactor);
  return { reactor, application, args: fitArguments(reactor.requestParameters, args), values };
}

/** The second half, on arguments that are ready. It may happen later, and in another process. @throws AppError */
export async function perform(
  context: ReactContext,
  { args, values }: DetokenizedArgs,
  invoker: Invoker,
  reactor: ResolvedReactor,
): Promise<Reply> {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  try {
    const reply = await runFormula(context, { args, known }, invoker, reactor);
    if (reply.$case === 'refused') return { $case: 'refused', value: redacted(reply.value, known) };
    if (reply.$case !== 'returned') return reply;
    const { raw, tokenize } = readResult(reply.value.result);
    const tokens = await tokenizeResult(context, tokenize, invoker, reactor);
    return { $case: 'answered', value: { json: responseText(tokens, raw), unselectedPaths: [] } };
  } catch (error) {
    throw error instanceof AppError ? known.redactError(error) : error;
  }
}

function redacted(refusal: Refusal, known: KnownValues): Refusal {
  const { detail, errors } = known.redactTold({ detail: refusal.detail, errors: errorsOf(refusal) });
  const problems = Object.entries(errors).map(([path, messages]) => ({ path, messages: [...messages] }));
  return { status: refusal.status, detail, problems };
}
