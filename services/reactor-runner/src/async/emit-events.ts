import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Deliveries } from '../deliveries/delivery-queue.ts';
import { type InvocationDetails, endedEvent, invokedEvent } from '../deliveries/reactor-events.ts';
import type { WebhookEmitter } from '../deliveries/webhook-emitter.ts';
import type { Ending } from '../requests/ending.ts';
import type { RequestPlace } from '../requests/request-store.ts';
import type { JobData } from './job-queue.ts';

export interface EmitContext {
  readonly events: Pick<WebhookEmitter, 'emit'>;
  readonly deliveries: Deliveries;
  readonly registry: Pick<PublishedRecords, 'reactorById'>;
}

/** These reject unless the event is certainly queued. Emitting again is harmless: the event has the same id. */
export async function emitInvoked(context: EmitContext, place: RequestPlace, data: JobData): Promise<void> {
  await context.events.emit(invokedEvent(await invocationOf(context, place, data), data.acceptedAt));
}

export async function emitEnded(
  context: EmitContext,
  place: RequestPlace,
  data: JobData,
  ending: Ending,
): Promise<void> {
  await context.events.emit(endedEvent(await invocationOf(context, place, data), ending));
  const { callback: url, correlationId } = data;
  if (url !== undefined) await context.deliveries.add({ kind: 'callback', ...place, correlationId, url });
}

async function invocationOf(
  { registry }: EmitContext,
  place: RequestPlace,
  { applicationId, correlationId }: JobData,
): Promise<InvocationDetails> {
  const reactor = await registry.reactorById(place.reactorId);
  return { ...place, reactorName: reactor?.name, type: 'async', applicationId, correlationId };
}
