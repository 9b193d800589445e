/** The types of webhook events (contract/webhooks.md#events), in the order in which they are shown. */
export const webhookEvents = [
  'application.created',
  'application.updated',
  'application.deleted',
  'application.key.created',
  'application.key.deleted',
  'application.use_limit',
  'egress.violation',
  'proxy.created',
  'proxy.updated',
  'proxy.deleted',
  'proxy.invoked',
  'proxy.response_leak',
  'reactor.created',
  'reactor.updated',
  'reactor.deleted',
  'reactor.invoked',
  'reactor.completed',
  'reactor.failed',
  'reactor.response_leak',
  'rollout.stopped',
  'session.created',
  'session.authorized',
  'tenant.updated',
  'tenant.invitation.created',
  'tenant.invitation.updated',
  'tenant.invitation.deleted',
  'token.created',
  'token.updated',
  'token.read',
  'token.revealed',
  'token.deleted',
  'token.expired',
  'token.property.expired',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** Sent to test a webhook; webhooks cannot subscribe to it. */
export const testEvent = 'webhook.test';

/** A webhook event (contract/webhooks.md#events); a repeated delivery is the same throughout. */
export interface EventBody {
  /** A UUID. */
  readonly id: string;
  readonly type: WebhookEvent | typeof testEvent;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly tenant_id: string;
  readonly trace_id: string;
  readonly data: EventData;
}

/** An event on its way to runners. */
export interface SentEvent extends EventBody {
  /** Sent to this webhook only, whatever its subscription: a test, or an event sent again. */
  readonly target?: EventTarget | undefined;
}

export interface EventTarget {
  readonly webhook_id: string;
  /** A UUID, so that an event can be sent more than once. */
  readonly sending_id: string;
}

/** Stored in clear: no token data, key, configuration or code. */
export interface EventData {
  /** Absent: an anonymous caller. */
  readonly actor?: Actor | undefined;
  readonly [member: string]: unknown;
}

export interface Actor {
  /** Absent: the service itself. */
  readonly id?: string;
  readonly type: 'application' | 'session' | 'user' | 'system';
  /** Of an application that still exists; the delivery adds it. */
  readonly name?: string;
}
