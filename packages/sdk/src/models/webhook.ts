import type { Auditable } from './page.ts';

export type WebhookEvent =
  | 'application.created'
  | 'application.updated'
  | 'application.deleted'
  | 'application.key.created'
  | 'application.key.deleted'
  | 'application.use_limit'
  | 'egress.violation'
  | 'proxy.created'
  | 'proxy.updated'
  | 'proxy.deleted'
  | 'proxy.invoked'
  | 'proxy.response_leak'
  | 'reactor.created'
  | 'reactor.updated'
  | 'reactor.deleted'
  | 'reactor.invoked'
  | 'reactor.completed'
  | 'reactor.failed'
  | 'reactor.response_leak'
  | 'rollout.stopped'
  | 'session.created'
  | 'session.authorized'
  | 'tenant.updated'
  | 'tenant.invitation.created'
  | 'tenant.invitation.updated'
  | 'tenant.invitation.deleted'
  | 'token.created'
  | 'token.updated'
  | 'token.read'
  | 'token.revealed'
  | 'token.deleted'
  | 'token.expired'
  | 'token.property.expired';

export interface Webhook extends Auditable {
  readonly id: string;
  readonly tenantId: string;
  readonly status: 'enabled' | 'disabled';
  readonly name: string;
  readonly url: string;
  readonly events: WebhookEvent[];
  readonly notifyEmail?: string;
}

/** The signing secret is present only when it has just been created. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string;
}

export interface RotatedWebhook extends CreatedWebhook {
  /** Until then, deliveries are signed with the previous secret too. */
  readonly previousSecretUntil: string;
}

export interface CreateWebhook {
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly notifyEmail?: string | null | undefined;
  /** Default: enabled. */
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** An event for a webhook, and what became of it. */
export interface WebhookDelivery {
  /** That of the event. */
  readonly id: string;
  readonly eventType: string;
  readonly createdAt: string;
  /** `retrying`: the last attempt failed, and there will be another. `failed`: there will be none. */
  readonly state: 'waiting' | 'delivered' | 'retrying' | 'failed';
  /** The latest 20, in order. */
  readonly attempts: WebhookAttempt[];
}

export interface WebhookAttempt {
  readonly at: string;
  readonly durationMs: number;
  /** Of the answer; absent without one. */
  readonly status?: number;
  readonly error?: string;
}
