import type { EventBody } from '@glovebox/published/webhook-events';

/** What stands in the queue in clear: what events may hold (docs/adr/0036). Nothing that code got or returned, and no secret. */
export type Delivery = EventDelivery | CallbackDelivery;

export interface EventDelivery {
  readonly kind: 'event';
  readonly tenantId: string;
  readonly webhookId: string;
  readonly event: EventBody;
}

/** The result of an invocation, which is kept sealed beside the queue, for an address that came with it. */
export interface CallbackDelivery {
  readonly kind: 'callback';
  readonly tenantId: string;
  readonly reactorId: string;
  readonly requestId: string;
  readonly correlationId: string;
  /** Base64 of the address, sealed as that of this request: it may hold a credential. */
  readonly url: string;
}

export const deliveryQueueName = 'deliveries';

/** The name under which a delivery waits: the same for the same event and endpoint, however often it is told. */
export function deliveryId(delivery: Delivery): string {
  return delivery.kind === 'event'
    ? `event.${delivery.event.id}.${delivery.webhookId}`
    : `callback.${delivery.requestId}`;
}

/** Deliveries that share this wait for each other, and never for those of another endpoint. */
export function endpointOf(delivery: Delivery): string {
  return delivery.kind === 'event' ? delivery.webhookId : `callbacks.${delivery.tenantId}`;
}
