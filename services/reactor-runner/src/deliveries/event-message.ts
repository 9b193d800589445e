import type { Webhook, WebhookSecret } from '@glovebox/protos/published/v1/published';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { EventDelivery } from './delivery.ts';
import { type Message, deliveryHeaders, timestampOf } from './message.ts';
import { sign } from './sign.ts';

export interface EventContext {
  readonly published: Pick<PublishedRecords, 'webhooksOfTenant'>;
  /** Opens a secret of a webhook. @throws AppError */
  readonly openSecret: (tenantId: string, webhookId: string, secret: WebhookSecret) => Promise<string>;
}

/** An event, for its endpoint as it is now; undefined when the endpoint is not subscribed any more. @throws AppError */
export async function eventMessage(
  { published, openSecret }: EventContext,
  { tenantId, webhookId, event, sendingId }: EventDelivery,
  now = new Date(),
): Promise<Message | undefined> {
  const webhooks = await published.webhooksOfTenant(tenantId);
  const webhook = webhooks?.endpoints.find(({ id }) => id === webhookId);
  const isWanted = sendingId !== undefined || webhook?.events.includes(event.type) === true;
  if (webhook === undefined || !isWanted) return undefined;
  const body = JSON.stringify({ event, delivered_at: now.toISOString() });
  const timestamp = timestampOf(now);
  const secrets = await Promise.all(
    livingSecrets(webhook, now).map((secret) => openSecret(tenantId, webhookId, secret)),
  );
  return {
    url: webhook.url,
    headers: {
      ...deliveryHeaders(event.id, timestamp, event.trace_id),
      'Content-Type': 'application/json',
      'SVC-SIGNATURE-VERSION': 'v1',
      'SVC-SIGNATURE': secrets.map((secret) => sign(secret, event.id, timestamp, body)).join(' '),
    },
    body,
  };
}

function livingSecrets({ secrets }: Webhook, now: Date): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === 0 || endsAt > now.getTime());
}
