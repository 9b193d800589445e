import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import { RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Deliveries } from '../deliveries/delivery-queue.ts';
import { type InvocationDetails, endedEvent, invokedEvent } from '../deliveries/reactor-events.ts';
import type { WebhookEmitter } from '../deliveries/webhook-emitter.ts';
import type { Reply } from '../replies/reply.ts';
import { type InvocationEnd, failureOf, interrupted } from '../requests/invocation-end.ts';
import type { RequestSealing } from '../requests/request-sealing.ts';
import type { RequestPlace, RequestStore } from '../requests/request-store.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import type { JobData } from './job-queue.ts';

export interface SettleContext {
  readonly events: Pick<WebhookEmitter, 'emit'>;
  readonly deliveries: Deliveries;
  readonly published: Pick<PublishedRecords, 'reactorById'>;
  readonly requests: RequestStore;
  readonly requestSealing: RequestSealing;
  readonly logger: Logger;
}

/** How an attempt ended; `gone`: there was nothing to do, or another attempt was first. */
export type AttemptResult = Reply['$case'] | 'interrupted' | 'gone';

interface Settling {
  readonly place: RequestPlace;
  readonly data: JobData;
  readonly attemptId: string;
  readonly reply: Reply;
  readonly end: InvocationEnd;
}

const firstPauseMs = 200;
const longestPauseMs = 5000;
/** The reply exists only in memory, so it is worth waiting for the vault and Redis, but not for ever. */
const patienceMs = 10 * 60_000;

/** Seals and stores a reply, retrying until that works. */
export async function settle(
  context: SettleContext,
  { place, data, attemptId, reply, end }: Settling,
  { signal }: CallLifetime,
): Promise<AttemptResult> {
  const { requests, requestSealing, logger } = context;
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      const plain = RunnerReply.encode({ id: 0, outcome: reply }).finish();
      const sealed = await requestSealing.seal(place, 'result', plain);
      return (await requests.settle(place, attemptId, sealed, end)) ? reply.$case : 'gone';
    } catch (err) {
      logger.warn({ err, requestId: place.requestId }, 'a result could not be stored yet');
      if (Date.now() > deadline || signal.aborted) return interrupt(context, place, data);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Settles a request whose code began and whose result is lost. */
export async function interrupt(
  context: SettleContext,
  place: RequestPlace,
  data: JobData,
): Promise<AttemptResult> {
  const end = failureOf(interrupted(), Date.now() - data.acceptedAt);
  if (!(await context.requests.interrupt(place, end))) {
    throw new Error('another process has recorded the start of its code meanwhile');
  }
  await emitEnded(context, place, data, end);
  return 'interrupted';
}

/** These reject unless the event is certainly queued. Emitting again is harmless: the event has the same id. */
export async function emitInvoked(context: SettleContext, place: RequestPlace, data: JobData): Promise<void> {
  await context.events.emit(invokedEvent(await invocationOf(context, place, data), data.acceptedAt));
}

export async function emitEnded(
  context: SettleContext,
  place: RequestPlace,
  data: JobData,
  end: InvocationEnd,
): Promise<void> {
  await context.events.emit(endedEvent(await invocationOf(context, place, data), end));
  const { callback: url, correlationId } = data;
  if (url !== undefined) await context.deliveries.add({ kind: 'callback', ...place, correlationId, url });
}

async function invocationOf(
  { published }: SettleContext,
  place: RequestPlace,
  { applicationId, correlationId }: JobData,
): Promise<InvocationDetails> {
  const reactor = await published.reactorById(place.reactorId);
  return { ...place, reactorName: reactor?.name, type: 'async', applicationId, correlationId };
}
