import { randomUUID } from 'node:crypto';

import { testEvent } from '@glovebox/published/webhook-events';

import { actorTypeOf } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEnabled } from './require-enabled.ts';
import { sendDelivery } from './send-delivery.ts';

/** Sends an event that says nothing to the webhook, signed like any other (contract/webhooks.md#deliveries). */
export async function testWebhook(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, correlationId } = call;
  const { tenantId, applicationId } = principal;
  const webhook = await findWebhook(dependencies.postgres, tenantId, id);
  requireEnabled(webhook);
  return sendDelivery(dependencies, call, 'test', {
    id: randomUUID(),
    type: testEvent,
    timestamp: new Date().toISOString(),
    tenant_id: tenantId,
    trace_id: correlationId,
    data: { id, name: webhook.name, actor: { id: applicationId, type: actorTypeOf(principal) } },
  });
}
