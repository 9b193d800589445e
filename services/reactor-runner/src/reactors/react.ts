import type { RunReactor, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { answerText } from './answer-text.ts';
import { argsOf } from './args-of.ts';
import { authorizeInvoker } from './authorize-invoker.ts';
import { declareParameters } from './declared-parameters.ts';
import { detokenizeArgs } from './detokenize-args.ts';
import { fitArguments } from './fit-arguments.ts';
import type { Invoker } from './invoker.ts';
import type { ReactContext } from './react-context.ts';
import { readResult } from './read-result.ts';
import { type ResolvedReactor, resolveReactor } from './resolve-reactor.ts';
import { runFormula } from './run-formula.ts';
import { tokenizeResult } from './tokenize-result.ts';

type Outcome = NonNullable<RunnerReply['outcome']>;

/** Invokes a reactor: interface.md section 4.9, top to bottom. @throws AppError */
export async function react(
  context: ReactContext,
  { reactorId, body }: Pick<RunReactor, 'reactorId' | 'body'>,
  invoker: Invoker,
): Promise<Outcome> {
  const reactor = await resolveReactor(context.registry, reactorId);
  await authorizeInvoker(context.registry, invoker, reactor);
  const detokenized = await detokenizeArgs(context, argsOf(body), invoker, reactor);
  const args = fitArguments(declareParameters(reactor.requestParameters), detokenized);
  return perform(context, args, invoker, reactor);
}

/** The second half, from arguments that are ready: it can be told at another time, and in another process. */
export async function perform(
  context: ReactContext,
  args: string,
  invoker: Invoker,
  reactor: ResolvedReactor,
): Promise<Outcome> {
  const outcome = await runFormula(context, args, invoker, reactor);
  if (outcome.$case !== 'returned') return outcome;
  const { raw, tokenize } = readResult(outcome.value.result);
  const tokens = await tokenizeResult(context, tokenize, invoker, reactor);
  return { $case: 'answered', value: { json: answerText(tokens, raw) } };
}
