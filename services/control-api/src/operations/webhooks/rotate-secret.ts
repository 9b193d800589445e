import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type WebhookRow, showWebhook } from '../../webhooks/fields.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { generateSecret, overlapMs, sealSecret } from '../../webhooks/secrets.ts';
import { findWebhook, lockWebhooks, replaceWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Creates a new secret, which only this answer shows. For a day, deliveries are signed with the previous secret too.
 */
export async function rotateSecret({ postgres, changes, sealer }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const before = await findWebhook(postgres, tenantId, id);
  const number = before.secret_number + 1;
  const secret = generateSecret();
  const sealed = await sealSecret(sealer, { tenantId, id, number }, secret, correlationId);
  const row = await changes.apply(auditEvent(call, 'rotate_secret', 'webhook', id), async (tx) => {
    const version = await lockWebhooks(tx, tenantId);
    const current = await findWebhook(tx, tenantId, id);
    if (current.secret_number !== before.secret_number) {
      throw new AppError('conflict', 'The secret is being rotated by another request.');
    }
    const now = new Date();
    const next: WebhookRow = {
      ...current,
      secret_number: number,
      sealed_secret: sealed,
      sealed_previous_secret: current.sealed_secret,
      previous_secret_until: new Date(now.getTime() + overlapMs),
      modified_by: actor,
      modified_at: now,
    };
    await replaceWebhook(tx, next);
    return { result: next, records: await publishedWebhooks(tx, tenantId, version) };
  });
  return {
    status: 200,
    body: {
      ...showWebhook(row),
      secret,
      previous_secret_until: row.previous_secret_until?.toISOString(),
    },
  };
}
