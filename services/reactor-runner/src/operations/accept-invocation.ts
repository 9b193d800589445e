import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { isSampled, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type { ReactAsync } from '@glovebox/protos/runner/v1/runner';

import { writeArguments } from '../async/job-arguments.ts';
import type { JobData, JobQueue } from '../async/job-queue.ts';
import type { Invoker, ReactContext } from '../invocation/invoker.ts';
import { prepare } from '../invocation/react.ts';
import type { Reply } from '../replies/reply.ts';
import type { RequestSealing } from '../requests/request-sealing.ts';
import type { RequestPlace, RequestStore } from '../requests/request-store.ts';

export interface AcceptContext extends ReactContext {
  readonly requests: RequestStore;
  readonly requestSealing: RequestSealing;
  readonly queue: JobQueue;
}

export interface AsyncRequest extends Pick<ReactAsync, 'reactorId' | 'body' | 'by'> {
  /** Where to send the result. */
  readonly callbackUrl?: string;
}

/**
 * Accepts an asynchronous invocation. The arguments are made ready now, so that errors in them are answered at once
 * (contract/reactors.md#asynchronous-invocation), and are then queued, sealed.
 * @throws AppError
 */
export async function acceptInvocation(
  context: AcceptContext,
  { reactorId, body, callbackUrl, by }: AsyncRequest,
  invoker: Invoker & { readonly credential: string },
): Promise<Reply> {
  const wanted = { reactorId, body, by, ...(callbackUrl === undefined ? {} : { callbackUrl }) };
  const { reactor, application, args, values, guarded } = await prepare(context, wanted, invoker);
  await context.configurations.of(reactor, invoker.correlationId);
  const place = { tenantId: reactor.tenantId, reactorId: reactor.id, requestId: randomUUID() };
  // A reactor with an application makes its tokens as that application, so the queue holds no key.
  const apiKey = reactor.delegation === undefined ? invoker.credential : undefined;
  const { requestSealing } = context;
  const sealed = await requestSealing.seal(
    place,
    'arguments',
    writeArguments({ args, values, guarded, apiKey }),
  );
  const callback = callbackUrl && (await requestSealing.seal(place, 'callback', Buffer.from(callbackUrl)));
  await enqueue(context, place, sealed, {
    tenantId: reactor.tenantId,
    reactorId: reactor.id,
    applicationId: application.principal.applicationId,
    version: reactor.version,
    ...(reactor.rollout && { rollout: reactor.rollout }),
    correlationId: invoker.correlationId,
    clientAddress: invoker.clientAddress,
    traceparent: traceparent(invoker),
    acceptedAt: Date.now(),
    ...(callback && { callback: callback.toString('base64') }),
  });
  return { $case: 'accepted', value: { requestId: place.requestId, unselectedPaths: [] } };
}

/** The priority is the number of open requests of the tenant, so that every tenant's first comes before any second. */
async function enqueue(
  { requests, queue }: AcceptContext,
  place: RequestPlace,
  sealed: Buffer,
  data: JobData,
): Promise<void> {
  try {
    const rank = await requests.accept(place, sealed, data.applicationId);
    await Promise.all([queue.add(place.requestId, data, rank), requests.list(place)]);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    await requests.forget(place).catch(() => undefined);
    throw new AppError('unavailable', 'The queue cannot be reached right now.', { cause });
  }
}

function traceparent({ trace }: Invoker): string {
  return trace !== undefined && isSampled(trace) ? (traceparentOf(trace) ?? '') : '';
}
