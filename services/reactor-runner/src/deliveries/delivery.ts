import type { EventBody } from '@glovebox/published/webhook-events';

/** What the queue holds in clear: nothing that code received or returned, and no secret (docs/adr/0036). */
export type Delivery = EventDelivery | CallbackDelivery;

export interface EventDelivery {
  readonly kind: 'event';
  readonly tenantId: string;
  readonly webhookId: string;
  readonly event: EventBody;
  /** A user asked for this delivery: a test, or an event sent again. Absent: the event has just happened. */
  readonly sendingId?: string | undefined;
}

/** The result of an invocation, for its callback address. The result itself is stored sealed, beside the queue. */
export interface CallbackDelivery {
  readonly kind: 'callback';
  readonly tenantId: string;
  readonly reactorId: string;
  readonly requestId: string;
  readonly correlationId: string;
  /** Base64 of the sealed address, which may contain a credential. */
  readonly url: string;
}

export const deliveryQueueName = 'deliveries';

/** The same for the same event and endpoint, so that emitting an event twice delivers it once. */
export function deliveryId(delivery: Delivery): string {
  if (delivery.kind === 'callback') return `callback.${delivery.requestId}`;
  const { event, webhookId, sendingId } = delivery;
  return ['event', event.id, webhookId, ...(sendingId === undefined ? [] : [sendingId])].join('.');
}

/** Deliveries to one endpoint wait for each other, and never for those to another. */
export function endpointOf(delivery: Delivery): string {
  return delivery.kind === 'event' ? delivery.webhookId : `callbacks.${delivery.tenantId}`;
}
