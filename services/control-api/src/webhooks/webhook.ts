import type { WebhookEvent } from '@glovebox/published/webhook-events';

/** A webhook as it is stored. */
export interface WebhookRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly notify_email: string | null;
  readonly status: WebhookStatus;
  readonly secret_number: number;
  readonly sealed_secret: Buffer;
  /** Of the number before. */
  readonly sealed_previous_secret: Buffer | null;
  readonly previous_secret_until: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

export type WebhookStatus = 'enabled' | 'disabled';

/** A webhook as the API shows it (contract/webhooks.md#webhook-object); its secret is told once, by who has made it. */
export function showWebhook(row: WebhookRow): object {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    status: row.status,
    name: row.name,
    url: row.url,
    notify_email: row.notify_email ?? undefined,
    events: row.events,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}
