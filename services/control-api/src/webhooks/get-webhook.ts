import type { Handler } from '../http/operation.ts';
import type { WebhookDependencies } from './create-webhook.ts';
import { findWebhook } from './store.ts';
import { showWebhook } from './webhook.ts';

export function getWebhook({ postgres }: WebhookDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showWebhook(await findWebhook(postgres, principal.tenantId, id)),
  });
}
