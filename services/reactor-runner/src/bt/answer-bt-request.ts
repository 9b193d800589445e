import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { type Occurrence, retryAfterOf, toErrorObject } from '@glovebox/platform/errors/http';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';
import { replayHeader } from '@glovebox/platform/http/idempotency-key';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import { type Context, SpanKind, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { ReactContext } from '../invocation/react-context.ts';
import type { Job } from '../scheduling/tenant.ts';
import type { AnswerAsk } from '../worker-process/call-bt-requests.ts';
import { type Answer, type Ask, readAsk, writeAnswer } from './bt-request.ts';
import type { Offering } from './bt-route.ts';
import { findOffer } from './find-bt-route.ts';
import { type OwnKeyContext, admitOwnKey } from './own-key.ts';
import { reactWithin } from './react-within.ts';
import type { TenantAsks } from './tenant-bt-requests.ts';

export interface AskContext extends ReactContext, Pick<OwnKeyContext, 'rates'> {
  readonly tenantAsks: TenantAsks;
  readonly limits: ReactContext['limits'] & {
    /** Of an answer. */
    readonly askBytes: number;
    /** Reactors that invoke each other, one within the other. */
    readonly reactDepth: number;
  };
  readonly metrics: {
    /** @param call the name of a route, or `unknown`. */
    observeBt(call: string, status: number): void;
  };
  /** Where errors are explained. */
  readonly docsUrl: string;
}

/** A worker that has so much to take already gets no more answers: it is busy, or wants to fill our memory. */
const maxBacklogBytes = 32 * 1024 * 1024;
/** Room for an answer's status and headers. */
const headBytes = 1024;

/**
 * Answers what a job's code asks for through `bt` (contract/transforms.md#the-bt-object): as the application of the
 * proxy or reactor that the code belongs to, or with an API key that the code itself has for this one call. Who that
 * is the vault finds out by itself. Never rejects: what fails is answered in the common error shape.
 */
export async function answerAsk(
  context: AskContext,
  job: Job,
  ...[request, signal, backlog]: Parameters<AnswerAsk>
): Promise<Buffer> {
  const { docsUrl } = context;
  const noted: Noted = { docsUrl, call: 'unknown', correlationId: job.correlationId, headers: {} };
  const answer = await serve(context, job, request, signal, noted).catch((thrown: unknown) => {
    const error = toAppError(thrown);
    const { correlationId } = noted;
    if (error.cause !== undefined) context.logger.error({ err: error, correlationId }, 'call by bt failed');
    return problem(error, noted);
  });
  const fitting = fits(context, answer, backlog(), noted);
  context.metrics.observeBt(noted.call, fitting.status);
  const headers = { ...fitting.headers, ...noted.headers, 'svc-trace-id': noted.correlationId };
  return writeAnswer({ ...fitting, headers });
}

/** What becomes known of a call on its way. */
interface Noted extends Occurrence {
  call: string;
  correlationId: string;
  headers: Readonly<Record<string, string>>;
}

async function serve(
  context: AskContext,
  job: Job,
  request: Buffer,
  signal: AbortSignal,
  noted: Noted,
): Promise<Answer> {
  using _share = context.tenantAsks.enter(job.tenantId, request.length);
  const ask = readAsk(request);
  noted.correlationId = correlationIdOf(traceIdOf(ask), () => job.correlationId);
  const { offer, ids } = findOffer(ask);
  noted.call = offer.name;
  const apiKey = ask.headers.get('svc-api-key') ?? ask.headers.get('bt-api-key');
  if (apiKey !== undefined) await admitOwnKey(context, apiKey, job.tenantId);
  const caller: VaultCaller = {
    credential: apiKey ?? (job.delegation as Delegation),
    trace: job.trace,
    correlationId: noted.correlationId,
    signal,
  };
  const writer = {
    ...caller,
    idempotencyKey: ask.headers.get('svc-idempotency-key') ?? ask.headers.get('bt-idempotency-key'),
    onReplay: () => {
      noted.headers = { [replayHeader.toLowerCase()]: 'true' };
    },
  };
  const known = job.known ?? new KnownValues();
  const offering: Offering = {
    vault: context.vault,
    caller: writer,
    ask,
    expressions: context.limits.expressions,
    maxBytes: context.limits.askBytes,
    known,
    docsUrl: context.docsUrl,
    react: (...wanted) => reactWithin(context, job, ...wanted),
  };
  const perform = async (offering: Offering) => {
    const answer = await offer.perform(offering, ...ids);
    if (offer.plaintextOf !== undefined) known.add(answer.body, offer.plaintextOf);
    return answer;
  };
  const { trace } = caller;
  // Not without await: the share is held until there is an answer.
  if (trace === undefined || !isSampled(trace)) return await perform(offering);
  return await withSpan(`bt ${offer.name}`, { kind: SpanKind.INTERNAL }, trace, (current: Context) =>
    perform({ ...offering, caller: { ...writer, trace: current } }),
  );
}

function traceIdOf({ headers }: Ask): string | undefined {
  return headers.get('svc-trace-id') ?? headers.get('bt-trace-id');
}

/** The answer, or why it is not given. */
function fits({ limits }: AskContext, answer: Answer, backlog: number, noted: Noted): Answer {
  const bytes = answer.body.length + headBytes;
  if (bytes > limits.askBytes) {
    const text = `The answer to a call by bt may have at most ${limits.askBytes} bytes.`;
    return problem(new AppError('too_large', text), noted);
  }
  if (backlog + bytes > maxBacklogBytes) {
    const text = 'Too many answers to calls by bt wait to be taken already.';
    return problem(new AppError('unavailable', text), noted);
  }
  return answer;
}

function problem(error: AppError, occurrence: Occurrence): Answer {
  const object = toErrorObject(error, occurrence);
  const retryAfter = retryAfterOf(error);
  const retry: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return {
    status: object.status,
    headers: { 'content-type': 'application/json', ...retry },
    body: Buffer.from(JSON.stringify(object)),
  };
}
