import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { holdTenant } from '../../tenants/store.ts';
import { type WebhookRow, showWebhook } from '../../webhooks/fields.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { generateSecret, sealSecret } from '../../webhooks/secrets.ts';
import { allWebhooks, insertWebhook, lockWebhooks } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readWebhookInput } from './schema.ts';

/** Only this answer shows the secret. */
export async function createWebhook(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, body, correlationId } = call;
  const { changes, sealer, inputLimits } = dependencies;
  const { tenantId, applicationId: actor } = principal;
  const input = readWebhookInput(body, dependencies);
  const id = randomUUID();
  const secret = generateSecret();
  const row: WebhookRow = {
    ...input,
    id,
    tenant_id: tenantId,
    secret_number: 1,
    sealed_secret: await sealSecret(sealer, { tenantId, id, number: 1 }, secret, correlationId),
    sealed_previous_secret: null,
    previous_secret_until: null,
    created_by: actor,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
  await changes.apply(auditEvent(call, 'create', 'webhook', id), async (tx) => {
    await holdTenant(tx, tenantId);
    const version = await lockWebhooks(tx, tenantId);
    if ((await allWebhooks(tx, tenantId)).length >= inputLimits.webhooks) {
      throw new AppError('unprocessable', `A tenant may have at most ${inputLimits.webhooks} webhooks.`);
    }
    await insertWebhook(tx, row);
    return { result: undefined, records: await publishedWebhooks(tx, tenantId, version) };
  });
  return { status: 201, body: { ...showWebhook(row), secret }, location: `/webhooks/${id}` };
}
