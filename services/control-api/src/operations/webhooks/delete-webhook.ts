import { deedOf } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { findWebhook, lockWebhooks, removeWebhook } from '../../webhooks/store.ts';
import type { WebhookDependencies } from './create-webhook.ts';

/** What is waiting to be delivered to it is dropped. */
export function deleteWebhook({ postgres, changes }: WebhookDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    const { tenantId } = principal;
    await findWebhook(postgres, tenantId, id);
    await changes.apply(deedOf({ principal, correlationId }, 'delete', 'webhook', id), async (tx) => {
      const version = await lockWebhooks(tx, tenantId);
      await removeWebhook(tx, tenantId, id);
      return { result: undefined, records: await publishedWebhooks(tx, tenantId, version) };
    });
    return { status: 204 };
  };
}
