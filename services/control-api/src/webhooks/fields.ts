import type { WebhookEvent } from '@glovebox/published/webhook-events';

import { type RowOf, column, created, modified, optionalText, shownFields, text } from '../fields/column.ts';

export const webhookFields = {
  id: text({ fixed: true }),
  tenant_id: text({ fixed: true }),
  status: column<WebhookStatus>()({}),
  name: text({}),
  url: text({}),
  notify_email: optionalText({}),
  events: column<readonly WebhookEvent[]>()({}),
  secret_number: column<number>()({ hidden: true }),
  sealed_secret: column<Buffer>()({ hidden: true }),
  /** Sealed for the number before. */
  sealed_previous_secret: column<Buffer | null>()({ hidden: true }),
  previous_secret_until: column<Date | null>()({ hidden: true }),
  ...created,
  ...modified,
};

/** A webhook as it is stored. */
export type WebhookRow = RowOf<typeof webhookFields>;

export type WebhookStatus = 'enabled' | 'disabled';

/** A webhook as the API shows it (contract/webhooks.md#webhook-object), without its secret. */
export function showWebhook(row: WebhookRow): object {
  return shownFields(webhookFields, row);
}
