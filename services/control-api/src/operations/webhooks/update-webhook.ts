import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type WebhookRow, showWebhook } from '../../webhooks/fields.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { findWebhook, lockWebhooks, replaceWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readWebhookInput } from './schema.ts';

/** Replaces everything except the secret: fields that the body omits get their defaults. */
export async function updateWebhook(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, body } = call;
  const { postgres, changes } = dependencies;
  const { tenantId, applicationId: actor } = principal;
  const input = readWebhookInput(body, dependencies);
  await findWebhook(postgres, tenantId, id);
  const row = await changes.apply(auditEvent(call, 'update', 'webhook', id), async (tx) => {
    const version = await lockWebhooks(tx, tenantId);
    const current = await findWebhook(tx, tenantId, id);
    const next: WebhookRow = { ...current, ...input, modified_by: actor, modified_at: new Date() };
    await replaceWebhook(tx, next);
    return { result: next, records: await publishedWebhooks(tx, tenantId, version) };
  });
  return { status: 200, body: showWebhook(row) };
}
