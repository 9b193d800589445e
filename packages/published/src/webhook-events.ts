/** What a tenant can be told of by webhooks (contract/webhooks.md#events), in the order in which it is shown. */
export const webhookEvents = [
  'application.created',
  'application.updated',
  'application.deleted',
  'application.key.created',
  'application.key.deleted',
  'proxy.created',
  'proxy.updated',
  'proxy.deleted',
  'proxy.invoked',
  'reactor.created',
  'reactor.updated',
  'reactor.deleted',
  'reactor.invoked',
  'reactor.completed',
  'reactor.failed',
  'session.created',
  'session.authorized',
  'tenant.updated',
  'tenant.invitation.created',
  'tenant.invitation.updated',
  'tenant.invitation.deleted',
  'token.created',
  'token.updated',
  'token.read',
  'token.deleted',
  'token.expired',
  'token.property.expired',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** An event as it is told (contract/webhooks.md#events); of a repeated delivery all of it is the same. */
export interface EventBody {
  /** A UUID. */
  readonly id: string;
  readonly type: WebhookEvent;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly tenant_id: string;
  readonly trace_id: string;
  readonly data: EventData;
}

/** Readable wherever it waits: nothing of a token's data, no key, no configuration and no code. */
export interface EventData {
  /** Absent: nobody who has a key. */
  readonly actor?: Actor | undefined;
  readonly [member: string]: unknown;
}

export interface Actor {
  /** Absent: the service itself. */
  readonly id?: string;
  readonly type: 'application' | 'session' | 'system';
  /** Of an application, while it is there; whoever makes the delivery adds it. */
  readonly name?: string;
}
