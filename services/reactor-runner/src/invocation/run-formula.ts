import { AppError } from '@glovebox/platform/errors/app-error';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';

import { codeReachOf } from '../configurations/code-reach-of.ts';
import type { Reply } from '../replies/reply.ts';
import type { Invoker, ReactContext } from './invoker.ts';
import type { ResolvedReactor } from './resolve-reactor.ts';
import { runCode } from './run-code.ts';

export interface FormulaArguments {
  /** JSON text. */
  readonly args: string;
  /** The values that no answer may show. The configuration is added to them, and what the code reads by `bt`. */
  readonly known: KnownValues;
}

/** Runs a reactor's code on `req = {args, configuration, bt}`. @throws AppError */
export async function runFormula(
  context: Pick<
    ReactContext,
    'pool' | 'logger' | 'noteViolation' | 'noteKilled' | 'published' | 'configurations' | 'limits'
  >,
  { args, known }: FormulaArguments,
  { lifetime, correlationId, clientAddress, trace, note, depth, invokedBy, onBegin }: Invoker,
  reactor: ResolvedReactor,
): Promise<Reply> {
  const { id, tenantId, code, delegation, allowedDestinations } = reactor;
  const reach = await codeReachOf(context.published, tenantId, allowedDestinations);
  const configuration = (await context.configurations.of(reactor, correlationId)).reveal();
  known.add(configuration);
  // Without an application `bt` is null; with one the isolate creates it.
  const bt = delegation === undefined ? ',"bt":null' : '';
  const argument = Buffer.from(`{"args":${args},"configuration":${configuration}${bt}}`);
  const { argumentBytes } = context.limits;
  if (argument.length > argumentBytes) {
    throw new AppError(
      'too_large',
      `The argument of a reactor may have at most ${argumentBytes} bytes of JSON.`,
    );
  }
  return runCode(context, {
    tenantId,
    code,
    codeVersion: `${id}:${reactor.version}`,
    reach,
    argument,
    lifetime,
    correlationId,
    clientAddress,
    depth,
    owner: { id },
    invoking: { allowedDestinations, invokedBy },
    known,
    delegation,
    trace,
    note,
    onBegin,
  });
}
