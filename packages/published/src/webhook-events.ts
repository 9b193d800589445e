/** What a tenant can be told of by webhooks (api-facts section 6.9), in the order in which it is shown. */
export const webhookEvents = ['reactor.invoked', 'reactor.completed', 'reactor.failed'] as const;

export type WebhookEvent = (typeof webhookEvents)[number];
