import { AppError } from '@glovebox/platform/errors/app-error';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { ApplicationRecord } from '@glovebox/published/records';

import { answerText } from './answer-text.ts';
import { argsOf } from './args-of.ts';
import { authorizeInvoker } from './authorize-invoker.ts';
import { declareParameters } from './declared-parameters.ts';
import { type DetokenizedArgs, detokenizeArgs } from './detokenize-args.ts';
import { fitArguments } from './fit-arguments.ts';
import type { Invoker } from './invoker.ts';
import type { ReactContext } from './react-context.ts';
import { readResult } from './read-result.ts';
import { type ResolvedReactor, resolveReactor } from './resolve-reactor.ts';
import { runFormula } from './run-formula.ts';
import { tokenizeResult } from './tokenize-result.ts';

type Outcome = NonNullable<RunnerReply['outcome']>;
type Refused = Extract<Outcome, { $case: 'refused' }>['value'];

interface Prepared extends DetokenizedArgs {
  readonly reactor: ResolvedReactor;
  /** The invoker's. */
  readonly application: ApplicationRecord;
}

/** Invokes a reactor: contract/reactors.md#invocation, top to bottom. @throws AppError */
export async function react(
  context: ReactContext,
  { reactorId, body }: Pick<RunReactor, 'reactorId' | 'body'>,
  invoker: Invoker,
): Promise<Outcome> {
  const { reactor, application, args, values } = await prepare(context, { reactorId, body }, invoker);
  const invocation = {
    tenantId: reactor.tenantId,
    reactorId: reactor.id,
    reactorName: reactor.name,
    applicationId: application.principal.applicationId,
    correlationId: invoker.correlationId,
  };
  return context.events.around(invocation, () => perform(context, { args, values }, invoker, reactor));
}

/** The first half, up to arguments that are ready. @throws AppError */
export async function prepare(
  context: ReactContext,
  { reactorId, body }: Pick<RunReactor, 'reactorId' | 'body'>,
  invoker: Invoker,
): Promise<Prepared> {
  const reactor = await resolveReactor(context.registry, reactorId);
  const application = await authorizeInvoker(context.registry, invoker, reactor);
  const detokenized = await detokenizeArgs(context, argsOf(body), invoker, reactor);
  const args = fitArguments(declareParameters(reactor.requestParameters), detokenized.args);
  return { reactor, application, args, values: detokenized.values };
}

/** The second half, from arguments that are ready: it can be told at another time, and in another process. */
export async function perform(
  context: ReactContext,
  { args, values }: DetokenizedArgs,
  invoker: Invoker,
  reactor: ResolvedReactor,
): Promise<Outcome> {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  const answer = async (): Promise<Outcome> => {
    const outcome = await runFormula(context, { args, known }, invoker, reactor);
    if (outcome.$case === 'refused') return { $case: 'refused', value: shownRefusal(outcome.value, known) };
    if (outcome.$case !== 'returned') return outcome;
    const { raw, tokenize } = readResult(outcome.value.result);
    const tokens = await tokenizeResult(context, tokenize, invoker, reactor);
    return { $case: 'answered', value: { json: answerText(tokens, raw), unselectedPaths: [] } };
  };
  return answer().catch((error: unknown) => {
    throw error instanceof AppError ? known.redactError(error) : error;
  });
}

/** Like any error (KnownValues). */
function shownRefusal({ status, detail, problems }: Refused, known: KnownValues): Refused {
  const errors = Object.fromEntries(problems.map(({ path, messages }) => [path, messages]));
  const told = known.redactTold({ detail, errors });
  const shown = Object.entries(told.errors).map(([path, messages]) => ({ path, messages: [...messages] }));
  return { status, detail: told.detail, problems: shown };
}
