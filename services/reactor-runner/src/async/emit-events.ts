import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Deliveries } from '../deliveries/delivery-queue.ts';
import { type Invocation, endedEvent, invokedEvent } from '../deliveries/reactor-events.ts';
import type { EventTeller } from '../deliveries/webhook-emitter.ts';
import type { Ending } from '../requests/ending.ts';
import type { RequestPlace } from '../requests/requests.ts';
import type { JobData } from './job.ts';

export interface TellContext {
  readonly events: Pick<EventTeller, 'tell'>;
  readonly deliveries: Deliveries;
  readonly registry: Pick<PublishedRecords, 'reactorById'>;
}

/** All of these reject when it is not certain that it was told: whoever tells it again says the same. */
export async function tellBeginning(context: TellContext, place: RequestPlace, data: JobData): Promise<void> {
  await context.events.tell(invokedEvent(await invocationOf(context, place, data), data.acceptedAt));
}

export async function tellEnding(
  context: TellContext,
  place: RequestPlace,
  data: JobData,
  ending: Ending,
): Promise<void> {
  await context.events.tell(endedEvent(await invocationOf(context, place, data), ending));
  const { callback: url, correlationId } = data;
  if (url !== undefined) await context.deliveries.add({ kind: 'callback', ...place, correlationId, url });
}

async function invocationOf(
  { registry }: TellContext,
  place: RequestPlace,
  { applicationId, correlationId }: JobData,
): Promise<Invocation> {
  const reactor = await registry.reactorById(place.reactorId);
  return { ...place, reactorName: reactor?.name, type: 'async', applicationId, correlationId };
}
