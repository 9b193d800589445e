import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { findWebhook, lockWebhooks, removeWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';

/** Deliveries that wait for it are dropped. */
export async function deleteWebhook(
  { postgres, changes, deliveries }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id } = call;
  const { tenantId } = principal;
  await findWebhook(postgres, tenantId, id);
  await changes.apply(auditEvent(call, 'delete', 'webhook', id), async (tx) => {
    const version = await lockWebhooks(tx, tenantId);
    await removeWebhook(tx, tenantId, id);
    return { result: undefined, records: await publishedWebhooks(tx, tenantId, version) };
  });
  await deliveries.forget(id);
  return { status: 204 };
}
