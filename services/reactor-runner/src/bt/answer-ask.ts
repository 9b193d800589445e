import { AppError, toAppError } from '@glovebox/platform/errors';
import { toErrorObject } from '@glovebox/platform/errors-http';
import { type Context, SpanKind, isSampled, withSpan } from '@glovebox/platform/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { AnswerAsk } from '../pool/call-asks.ts';
import type { Job } from '../pool/tenant.ts';
import type { ReactContext } from '../reactors/react-context.ts';
import { type Answer, type Ask, readAsk, writeAnswer } from './ask.ts';
import { type Offering, findOffer } from './offers.ts';
import { reactWithin } from './react-within.ts';
import type { TenantAsks } from './tenant-asks.ts';

export interface AskContext extends ReactContext {
  readonly tenantAsks: TenantAsks;
}

/** A worker that has so much to take already gets no more answers: it is busy, or wants to fill our memory. */
const maxBacklogBytes = 32 * 1024 * 1024;

/**
 * Answers what a job's code asks for through `bt` (interface.md section 5, point 7): as the application of the proxy
 * or reactor that the code belongs to, or with an API key that the code itself has for this one call. Who that is
 * the vault finds out by itself. Never rejects: what fails is answered in the common error shape.
 */
export async function answerAsk(
  context: AskContext,
  job: Job,
  ...[request, signal, backlog]: Parameters<AnswerAsk>
): Promise<Buffer> {
  let correlationId = job.correlationId;
  try {
    using _share = context.tenantAsks.enter(job.tenantId, request.length);
    const ask = readAsk(request);
    correlationId = correlationIdOf(ask, job);
    const answer = await perform(context, job, ask, callerOf(ask, job, correlationId, signal));
    return within(context, answer, backlog(), correlationId);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.cause !== undefined) context.logger.error({ err: error, correlationId }, 'call by bt failed');
    return writeAnswer(problem(error, correlationId));
  }
}

function perform(context: AskContext, job: Job, ask: Ask, caller: VaultCaller): Promise<Answer> {
  const { offer, id } = findOffer(ask);
  const { vault } = context;
  const react: Offering['react'] = (...wanted) => reactWithin(context, job, ...wanted);
  const { trace } = caller;
  if (trace === undefined || !isSampled(trace)) return offer.perform({ vault, caller, ask, react }, id);
  return withSpan(`bt ${offer.name}`, { kind: SpanKind.INTERNAL }, trace, (current: Context) =>
    offer.perform({ vault, caller: { ...caller, trace: current }, ask, react }, id),
  );
}

function callerOf(ask: Ask, job: Job, correlationId: string, signal: AbortSignal): VaultCaller {
  const apiKey = ask.headers.get('svc-api-key') ?? ask.headers.get('bt-api-key');
  const credential = apiKey ?? (job.delegation as Delegation);
  return { credential, trace: job.trace, correlationId, signal };
}

/** Visible ASCII and spaces: what can stand in a header, a log line and a database row alike. */
const acceptable = /^[\x20-\x7e]{1,200}$/;

function correlationIdOf({ headers }: Ask, job: Job): string {
  const sent = headers.get('svc-trace-id') ?? headers.get('bt-trace-id');
  return sent !== undefined && acceptable.test(sent) ? sent : job.correlationId;
}

function within(context: AskContext, answer: Answer, backlog: number, correlationId: string): Buffer {
  const text = writeAnswer({ ...answer, headers: { ...answer.headers, 'svc-trace-id': correlationId } });
  const { askBytes } = context.limits;
  if (text.length > askBytes) {
    throw new AppError('too_large', `The answer to a call by bt may have at most ${askBytes} bytes.`);
  }
  if (backlog + text.length > maxBacklogBytes) {
    throw new AppError('unavailable', 'Too many answers to calls by bt wait to be taken already.');
  }
  return text;
}

function problem(error: AppError, correlationId: string): Answer {
  const object = toErrorObject(error);
  const retry = error.code === 'unavailable' || error.code === 'rate_limited' ? { 'retry-after': '1' } : {};
  return {
    status: object.status,
    headers: { 'content-type': 'application/json', 'svc-trace-id': correlationId, ...retry },
    body: Buffer.from(JSON.stringify(object)),
  };
}
