import { classifyEgressError } from '@glovebox/egress/classify-egress-error';
import { parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import { post } from '@glovebox/egress/post';

import { type CallbackContext, callbackMessage } from './callback-message.ts';
import type { Delivery } from './delivery.ts';
import { type EgressCheckContext, type Sender, isRefused } from './egress-check.ts';
import { type EventContext, eventMessage } from './event-message.ts';

export type DeliverContext = EventContext &
  CallbackContext &
  EgressCheckContext & {
    readonly published: EventContext['published'] &
      CallbackContext['published'] &
      EgressCheckContext['published'];
    readonly policy: EgressPolicy;
    readonly dispatcher: ReturnType<typeof createGuardedDispatcher>;
    readonly timeoutMs: number;
  };

export type Delivered =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'withdrawn' }
  /** The reason may be logged and shown: it contains nothing of the address or of the answer. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly status?: number };

/**
 * Makes one attempt.
 * @param stopping aborts it
 * @throws Error for a reason of the platform, which says nothing about the endpoint
 */
export async function deliver(
  context: DeliverContext,
  delivery: Delivery,
  stopping: AbortSignal,
): Promise<Delivered> {
  const message = await (delivery.kind === 'event'
    ? eventMessage(context, delivery)
    : callbackMessage(context, delivery));
  if (message === undefined) return { outcome: 'withdrawn' };
  // The length was checked when the address was set.
  const policy = { ...context.policy, urlLength: message.url.length };
  const destination = parseDestination(message.url, policy);
  if (!destination.ok) return { outcome: 'failed', reason: 'denied' };
  if (await isRefused(context, senderOf(delivery), destination.url)) {
    return { outcome: 'failed', reason: 'destination_not_allowed' };
  }
  const { headers, body } = message;
  const { dispatcher, timeoutMs } = context;
  try {
    const sent = { url: destination.url, headers, body, timeoutMs, signal: stopping };
    const status = await post(dispatcher, sent);
    if (status >= 200 && status < 300) return { outcome: 'delivered', status };
    return { outcome: 'failed', reason: `status ${status}`, status };
  } catch (error) {
    if (stopping.aborted) throw error;
    return { outcome: 'failed', reason: classifyEgressError(error) };
  }
}

function senderOf(delivery: Delivery): Sender {
  const { tenantId } = delivery;
  if (delivery.kind === 'event') {
    const { webhookId: subjectId, event } = delivery;
    return { tenantId, subjectType: 'webhook', subjectId, applicationId: '', correlationId: event.trace_id };
  }
  const { reactorId: subjectId, correlationId } = delivery;
  return { tenantId, subjectType: 'reactor', subjectId, applicationId: '', correlationId };
}
