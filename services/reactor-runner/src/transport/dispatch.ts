import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { type Context, SpanKind, contextOf, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';
import type { RunNote } from '@glovebox/protos/runner/v1/runner';

import { type DryReactorContext, dryRunReactor } from '../operations/dry-run-reactor.ts';
import { type DryTransformContext, dryRunTransform } from '../operations/dry-run-transform.ts';
import { getReactorResult } from '../operations/get-reactor-result.ts';
import { type ListInvocationsContext, listInvocations } from '../operations/list-invocations.ts';
import { runFunction } from '../operations/run-function.ts';
import { type RunReactorContext, runReactor, runReactorAsync } from '../operations/run-reactor.ts';
import { type TransformContext, runTransform } from '../operations/run-transform.ts';
import { type ShadowTransformContext, shadowTransform } from '../operations/shadow-transform.ts';
import type { Reply } from '../replies/reply.ts';
import type { RunnerInbound } from './serve-calls.ts';

export type DispatchContext = TransformContext &
  RunReactorContext &
  ListInvocationsContext &
  DryTransformContext &
  ShadowTransformContext &
  DryReactorContext;

/** Starts every call of a frame at once, and answers each when it is done. */
export async function dispatch(context: DispatchContext, frame: readonly RunnerInbound[]): Promise<void> {
  await Promise.all(frame.map((inbound) => answer(context, inbound)));
}

async function answer(context: DispatchContext, inbound: RunnerInbound): Promise<void> {
  const { id, traceparent } = inbound.call;
  const note: RunNote = { logged: false, line: 0, column: 0 };
  const said = () => (note.logged || note.line > 0 ? note : undefined);
  try {
    const begun = traceparent === '' ? perform(context, inbound, note) : traced(context, inbound, note);
    const outcome = await begun;
    inbound.reply({ id, outcome, note: said() });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.cause !== undefined) {
      const { correlationId } = inbound.call;
      context.logger.error({ err: error, correlationId }, 'call failed');
    }
    inbound.reply({ id, outcome: { $case: 'error', value: toWireError(error) }, note: said() });
  }
}

function traced(context: DispatchContext, inbound: RunnerInbound, note: RunNote): MaybePromise<Reply> {
  const { traceparent, operation } = inbound.call;
  const parent = contextOf(traceparent);
  if (!isSampled(parent)) return perform(context, inbound, note);
  const name = `runner.${operation?.$case ?? 'unknown'}`;
  return withSpan(name, { kind: SpanKind.SERVER }, parent, async (current) =>
    perform(context, inbound, note, current),
  );
}

function perform(
  context: DispatchContext,
  inbound: RunnerInbound,
  note: RunNote,
  trace?: Context,
): MaybePromise<Reply> {
  const { operation, correlationId, clientAddress } = inbound.call;
  const origin = { correlationId, clientAddress, trace, note };
  switch (operation?.$case) {
    case 'runFunction':
      return runFunction(context, operation.value, inbound, correlationId);
    case 'runTransform':
      return runTransform(context, operation.value, inbound, origin);
    case 'runReactor':
      return runReactor(context, operation.value, inbound, origin);
    case 'reactAsync':
      return runReactorAsync(context, operation.value, inbound, origin);
    case 'getReactorResult':
      return getReactorResult(context, operation.value);
    case 'dryRunTransform':
      return dryRunTransform(context, operation.value, inbound, origin);
    case 'shadowTransform':
      return shadowTransform(context, operation.value, inbound, origin);
    case 'dryRunReactor':
      return dryRunReactor(context, operation.value, inbound, origin);
    case 'listInvocations':
      return listInvocations(context, operation.value, correlationId);
    default:
      throw new AppError('invalid_argument', 'The call names no operation that this runner knows.');
  }
}
