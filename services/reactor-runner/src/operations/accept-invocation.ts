import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { isSampled, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type { ReactAsync, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { writeArguments } from '../async/job-arguments.ts';
import type { JobData, JobQueue } from '../async/job.ts';
import type { Invoker } from '../invocation/invoker.ts';
import type { ReactContext } from '../invocation/react-context.ts';
import { prepare } from '../invocation/react.ts';
import type { JobSealing } from '../requests/request-sealing.ts';
import type { RequestPlace, Requests } from '../requests/requests.ts';

export interface AcceptContext extends ReactContext {
  readonly requests: Requests;
  readonly jobSealing: JobSealing;
  readonly queue: JobQueue;
}

export interface AsyncRequest extends Pick<ReactAsync, 'reactorId' | 'body'> {
  /** Where the result is to be sent. */
  readonly callbackUrl?: string;
}

/**
 * The first half of an invocation: everything up to arguments that are ready, so that what is wrong with them is
 * answered at once (contract/reactors.md#asynchronous-invocation). What the second half needs then waits, sealed.
 * @throws AppError
 */
export async function reactAsync(
  context: AcceptContext,
  { reactorId, body, callbackUrl }: AsyncRequest,
  invoker: Invoker & { readonly credential: string },
): Promise<NonNullable<RunnerReply['outcome']>> {
  const { reactor, application, args, values } = await prepare(context, { reactorId, body }, invoker);
  await context.configurations.of(reactor, invoker.correlationId);
  const place = { tenantId: reactor.tenantId, reactorId: reactor.id, requestId: randomUUID() };
  // Where the reactor has an application its tokens are made as that, and the queue holds no key at all.
  const apiKey = reactor.delegation === undefined ? invoker.credential : undefined;
  const { jobSealing } = context;
  const sealed = await jobSealing.seal(place, 'arguments', writeArguments({ args, values, apiKey }));
  const callback =
    callbackUrl === undefined
      ? {}
      : { callback: (await jobSealing.seal(place, 'callback', Buffer.from(callbackUrl))).toString('base64') };
  await enqueue(context, place, sealed, {
    tenantId: reactor.tenantId,
    reactorId: reactor.id,
    applicationId: application.principal.applicationId,
    version: reactor.version,
    correlationId: invoker.correlationId,
    traceparent: traceparent(invoker),
    acceptedAt: Date.now(),
    ...callback,
  });
  return { $case: 'accepted', value: { requestId: place.requestId, unselectedPaths: [] } };
}

/** The more a tenant has open, the later its next one comes: each tenant's first comes before any other's second. */
async function enqueue(
  { requests, queue }: AcceptContext,
  place: RequestPlace,
  sealed: Buffer,
  data: JobData,
): Promise<void> {
  try {
    const rank = await requests.accept(place, sealed, data.applicationId);
    await queue.add(place.requestId, data, rank);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    await requests.forget(place).catch(() => undefined);
    throw new AppError('unavailable', 'The queue cannot be reached right now.', { cause });
  }
}

function traceparent({ trace }: Invoker): string {
  return trace !== undefined && isSampled(trace) ? (traceparentOf(trace) ?? '') : '';
}
