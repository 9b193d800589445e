import type { Auditable } from './page.ts';

export interface Webhook extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly status: 'enabled' | 'disabled';
  readonly name: string;
  readonly url: string;
  readonly events: string[];
  readonly notifyEmail?: string;
}

/** What deliveries are signed with is told only when it has just been made. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string;
}

export interface RotatedWebhook extends CreatedWebhook {
  /** Until then deliveries are signed with the secret before, too. */
  readonly previousSecretUntil: string;
}

export interface CreateWebhook {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly notifyEmail?: string | null | undefined;
  /** Default: enabled. */
  readonly status?: 'enabled' | 'disabled' | undefined;
}
