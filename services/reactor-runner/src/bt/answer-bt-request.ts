import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { type Occurrence, retryAfterOf, toErrorObject } from '@glovebox/platform/errors/http';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';
import { replayHeader } from '@glovebox/platform/http/idempotency-key';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import { type Context, SpanKind, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { CodeRun } from '../scheduling/tenant.ts';
import type { AnswerBtRequest } from '../worker-process/call-bt-requests.ts';
import { type BtRequest, type BtResponse, readBtRequest, writeBtResponse } from './bt-request.ts';
import { type BtCall, type BtRoute, json } from './bt-route.ts';
import { findBtRoute } from './find-bt-route.ts';
import { type OwnKeyContext, admitOwnKey } from './own-key.ts';
import { type NestedReactContext, reactFromBt } from './react-route.ts';
import type { TenantBtRequests } from './tenant-bt-requests.ts';

export interface BtContext extends NestedReactContext, Pick<OwnKeyContext, 'rates' | 'keyUses'> {
  readonly tenantBtRequests: TenantBtRequests;
  readonly limits: NestedReactContext['limits'] & {
    /** Of a response. */
    readonly btRequestBytes: number;
  };
  readonly metrics: {
    /** @param route the name of a route, or `unknown`. */
    observeBt(route: string, status: number): void;
  };
  /** Base URL of the error documentation. */
  readonly docsUrl: string;
}

/** A worker with this much unread gets no more responses: it is busy, or tries to fill the runner's memory. */
const maxBacklogBytes = 32 * 1024 * 1024;
/** Room for the status and headers of a response. */
const headBytes = 1024;

/**
 * Answers a request that running code makes through `bt` (contract/transforms.md#the-bt-object). The caller is the application
 * of the code's proxy or reactor, or an API key that the code sends with this one request; the vault resolves which
 * application that is. Never rejects: failures are answered in the common error shape.
 */
export async function answerBtRequest(
  context: BtContext,
  run: CodeRun,
  delegation: Delegation,
  ...[bytes, signal, backlog]: Parameters<AnswerBtRequest>
): Promise<Buffer> {
  const progress: BtProgress = {
    docsUrl: context.docsUrl,
    route: 'unknown',
    correlationId: run.correlationId,
    headers: {},
  };
  const response = await serve(context, run, delegation, bytes, signal, progress).catch((thrown: unknown) => {
    const error = toAppError(thrown);
    const { correlationId } = progress;
    if (error.cause !== undefined) context.logger.error({ err: error, correlationId }, 'call by bt failed');
    return problem(error, progress);
  });
  const fitting = fits(context, response, backlog(), progress);
  context.metrics.observeBt(progress.route, fitting.status);
  const headers = { ...fitting.headers, ...progress.headers, 'svc-trace-id': progress.correlationId };
  return writeBtResponse({ ...fitting, headers });
}

/** What is learned while a request is served; a failure is reported with as much as is known by then. */
interface BtProgress extends Occurrence {
  route: string;
  correlationId: string;
  headers: Readonly<Record<string, string>>;
}

async function serve(
  context: BtContext,
  run: CodeRun,
  delegation: Delegation,
  bytes: Buffer,
  signal: AbortSignal,
  progress: BtProgress,
): Promise<BtResponse> {
  using _share = context.tenantBtRequests.enter(run.tenantId, bytes.length);
  const request = readBtRequest(bytes);
  const correlationId = correlationIdOf(headerOf(request, 'trace-id'), () => run.correlationId);
  progress.correlationId = correlationId;
  const { route, ids } = findBtRoute(request);
  progress.route = route.name;
  if (run.onRefusedBt !== undefined) refuse(run.onRefusedBt, route);
  const apiKey = headerOf(request, 'api-key');
  if (apiKey !== undefined) await admitOwnKey(context, apiKey, run.tenantId);
  const { trace, known = new KnownValues() } = run;
  const caller: VaultCaller = {
    credential: apiKey ?? delegation,
    trace,
    correlationId,
    clientAddress: run.clientAddress,
    signal,
    idempotencyKey: headerOf(request, 'idempotency-key'),
    onReplay: () => {
      progress.headers = { [replayHeader.toLowerCase()]: 'true' };
    },
  };
  const call: BtCall = {
    vault: context.vault,
    caller,
    request,
    expressions: context.limits.expressions,
    maxBytes: context.limits.btRequestBytes,
    known,
    docsUrl: context.docsUrl,
    react: (...invocation) => reactFromBt(context, run, ...invocation),
  };
  // Awaited here, since returning releases the tenant's share.
  if (trace === undefined || !isSampled(trace)) return await perform(route, ids, call);
  return await withSpan(`bt ${route.name}`, { kind: SpanKind.INTERNAL }, trace, (current: Context) =>
    perform(route, ids, { ...call, caller: { ...caller, trace: current } }),
  );
}

/** @throws AppError `permission_denied`, whatever the call would do */
function refuse(note: (route: string) => void, { name }: BtRoute): never {
  note(name);
  throw new AppError(
    'permission_denied',
    'Calls by bt are refused here: nothing that this run does has an effect.',
  );
}

async function perform(route: BtRoute, ids: [string, string], call: BtCall): Promise<BtResponse> {
  const response = await route.perform(call, ...ids);
  if (route.plaintextOf !== undefined) call.known.add(response.body, route.plaintextOf);
  return response;
}

function headerOf({ headers }: BtRequest, name: string): string | undefined {
  return headers.get(`svc-${name}`) ?? headers.get(`bt-${name}`);
}

/** The response itself, or an error when it is too large to be sent. */
function fits(
  { limits }: BtContext,
  response: BtResponse,
  backlog: number,
  progress: BtProgress,
): BtResponse {
  const bytes = response.body.length + headBytes;
  if (bytes > limits.btRequestBytes) {
    const text = `The answer to a call by bt may have at most ${limits.btRequestBytes} bytes.`;
    return problem(new AppError('too_large', text), progress);
  }
  if (backlog + bytes > maxBacklogBytes) {
    const text = 'Too many answers to calls by bt are waiting already.';
    return problem(new AppError('unavailable', text), progress);
  }
  return response;
}

function problem(error: AppError, occurrence: Occurrence): BtResponse {
  const object = toErrorObject(error, occurrence);
  const { status, headers, body } = json(object.status, Buffer.from(JSON.stringify(object)));
  const retryAfter = retryAfterOf(error);
  return {
    status,
    headers: retryAfter === undefined ? headers : { ...headers, 'retry-after': retryAfter },
    body,
  };
}
