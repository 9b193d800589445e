import { AppError } from '@glovebox/platform/errors/app-error';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import type { Invoker } from './invoker.ts';
import type { ReactContext } from './react-context.ts';
import type { ResolvedReactor } from './resolve-reactor.ts';
import { runCode } from './run-code.ts';

export interface FormulaArguments {
  /** JSON text. */
  readonly args: string;
  /** What of it no answer may show; the configuration comes to it, and what the code reads by `bt`. */
  readonly known: KnownValues;
}

/** Runs a reactor's code on `req = {args, configuration, bt}`. @throws AppError */
export async function runFormula(
  context: Pick<ReactContext, 'pool' | 'logger' | 'configurations' | 'limits'>,
  { args, known }: FormulaArguments,
  { caller, correlationId, trace, depth, onBegin }: Invoker,
  reactor: ResolvedReactor,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const { id, tenantId, code, delegation } = reactor;
  const codeVersion = `${id}:${reactor.version}`;
  const configuration = (await context.configurations.of(reactor, correlationId)).reveal();
  known.add(configuration);
  // Without an application `bt` is null; with one the isolate makes it.
  const bt = delegation === undefined ? ',"bt":null' : '';
  const argument = Buffer.from(`{"args":${args},"configuration":${configuration}${bt}}`);
  const { argumentBytes } = context.limits;
  if (argument.length > argumentBytes) {
    throw new AppError('too_large', `What a reactor gets may have at most ${argumentBytes} bytes of JSON.`);
  }
  const told = onBegin === undefined ? {} : { onBegin };
  const job = {
    tenantId,
    code,
    codeVersion,
    argument,
    caller,
    correlationId,
    depth,
    owner: { id },
    known,
    ...told,
  };
  return runCode(context, delegation === undefined ? job : { ...job, delegation, trace });
}
