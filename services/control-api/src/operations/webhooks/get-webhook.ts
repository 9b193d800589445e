import type { Handler } from '../../http/call.ts';
import { findWebhook } from '../../webhooks/store.ts';
import { showWebhook } from '../../webhooks/webhook.ts';
import type { WebhookDependencies } from './create-webhook.ts';

export function getWebhook({ postgres }: WebhookDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showWebhook(await findWebhook(postgres, principal.tenantId, id)),
  });
}
