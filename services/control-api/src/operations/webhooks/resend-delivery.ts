import type { Call, Reply } from '../../http/call.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEnabled } from './require-enabled.ts';
import { sendDelivery } from './send-delivery.ts';

/** Has an event delivered once more, whatever became of it, with the same id (contract/webhooks.md#deliveries). */
export async function resendDelivery(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, deliveryId } = call;
  requireEnabled(await findWebhook(dependencies.postgres, principal.tenantId, id));
  const { event } = await dependencies.deliveries.find(id, deliveryId);
  return sendDelivery(dependencies, call, 'resend', event);
}
