import { randomUUID } from 'node:crypto';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEnabled } from './require-enabled.ts';
import { showDelivery } from './show-delivery.ts';

/** Has an event delivered once more, whatever became of it, with the same id (contract/webhooks.md#deliveries). */
export async function resendDelivery(
  { postgres, changes, deliveries }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id, deliveryId } = call;
  requireEnabled(await findWebhook(postgres, principal.tenantId, id));
  const { event } = await deliveries.find(id, deliveryId);
  await changes.apply(auditEvent(call, 'resend', 'webhook', id), async () => ({
    result: undefined,
    records: [],
  }));
  const sent = await deliveries.send(event, { webhook_id: id, sending_id: randomUUID() });
  return { status: 200, body: showDelivery(sent) };
}
