import type { RecordedDelivery } from '@glovebox/published/delivery-store';

/** A delivery as the API shows it (contract/webhooks.md#deliveries): nothing of the event but its name. */
export function showDelivery({ event, state, attempts }: RecordedDelivery): object {
  return { id: event.id, event_type: event.type, created_at: event.timestamp, state, attempts };
}
