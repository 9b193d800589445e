import { randomUUID } from 'node:crypto';

import { testEvent } from '@glovebox/published/webhook-events';

import { actorTypeOf, auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEnabled } from './require-enabled.ts';
import { showDelivery } from './show-delivery.ts';

/** Sends an event that says nothing to the webhook, signed like any other (contract/webhooks.md#deliveries). */
export async function testWebhook(
  { postgres, changes, deliveries }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id, correlationId } = call;
  const { tenantId, applicationId } = principal;
  const webhook = await findWebhook(postgres, tenantId, id);
  requireEnabled(webhook);
  await changes.apply(auditEvent(call, 'test', 'webhook', id), async () => ({
    result: undefined,
    records: [],
  }));
  const event = {
    id: randomUUID(),
    type: testEvent,
    timestamp: new Date().toISOString(),
    tenant_id: tenantId,
    trace_id: correlationId,
    data: { id, name: webhook.name, actor: { id: applicationId, type: actorTypeOf(principal) } },
  } as const;
  const sent = await deliveries.send(event, { webhook_id: id, sending_id: randomUUID() });
  return { status: 200, body: showDelivery(sent) };
}
