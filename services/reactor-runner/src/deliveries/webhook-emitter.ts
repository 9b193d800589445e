import { randomUUID } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord, WebhooksRecord } from '@glovebox/published/records';
import type { Actor, EventBody, SentEvent } from '@glovebox/published/webhook-events';

import type { Reply } from '../replies/reply.ts';
import { invocationEndOf, failureOf } from '../requests/invocation-end.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Deliveries } from './delivery-queue.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import type { EventDelivery } from './delivery.ts';
import { type InvocationDetails, endedEvent, invokedEvent } from './reactor-events.ts';

export interface WebhookEmitterOptions {
  readonly published: Pick<PublishedRecords, 'webhooksOfTenant' | 'applicationById'>;
  readonly deliveries: Deliveries;
  readonly record: Pick<DeliveryRecord, 'giveUp'>;
  readonly metrics: Pick<DeliveryMetrics, 'lost'>;
  readonly logger: Logger;
}

/** Queues events for the webhooks of their tenant. Costs nothing for a tenant without webhooks. */
export class WebhookEmitter {
  readonly #options: WebhookEmitterOptions;

  constructor(options: WebhookEmitterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the event is queued for every subscribed endpoint that has room. Rejects when that is not certain. Of an
   * event for one webhook the caller learns that there was no room.
   */
  async emit({ target, ...event }: SentEvent): Promise<void> {
    const { published, deliveries, record } = this.#options;
    if (target === undefined) {
      return this.#put(await published.webhooksOfTenant(event.tenant_id), event);
    }
    const { webhook_id: webhookId, sending_id: sendingId } = target;
    const shown = await this.#withActor(event);
    const tenantId = event.tenant_id;
    const delivery: EventDelivery = { kind: 'event', tenantId, webhookId, event: shown, sendingId };
    if (!(await deliveries.add(delivery))) await record.giveUp(delivery, 'no_room');
  }

  /**
   * Runs a synchronous invocation, and emits that it began and how it ended. The events are queued before the reply is
   * sent. A failure to queue them does not fail the invocation.
   */
  async around(
    invocation: Omit<InvocationDetails, 'requestId' | 'type'>,
    run: () => Promise<Reply>,
  ): Promise<Reply> {
    const webhooks = await this.#webhooksOf(invocation.tenantId);
    if (webhooks === undefined || webhooks.endpoints.length === 0) return run();
    const details: InvocationDetails = { ...invocation, requestId: randomUUID(), type: 'sync' };
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const invoked = this.#tryPut(webhooks, invokedEvent(details, Date.now()));
    try {
      const reply = await run();
      await this.#tryPut(webhooks, endedEvent(details, invocationEndOf(reply, elapsed())));
      return reply;
    } catch (error) {
      await this.#tryPut(webhooks, endedEvent(details, failureOf(error, elapsed())));
      throw error;
    } finally {
      await invoked;
    }
  }

  async #webhooksOf(tenantId: string): Promise<WebhooksRecord | undefined> {
    try {
      return await this.#options.published.webhooksOfTenant(tenantId);
    } catch (error) {
      this.#lose(error);
      return undefined;
    }
  }

  async #tryPut(webhooks: WebhooksRecord, event: EventBody): Promise<void> {
    await this.#put(webhooks, event).catch((error: unknown) => this.#lose(error));
  }

  async #put(webhooks: WebhooksRecord | undefined, event: EventBody): Promise<void> {
    const wanting = webhooks?.endpoints.filter(({ events }) => events.includes(event.type)) ?? [];
    if (wanting.length === 0) return;
    const { deliveries } = this.#options;
    const tenantId = event.tenant_id;
    const shown = await this.#withActor(event);
    await Promise.all(
      wanting.map(({ id: webhookId }) =>
        deliveries.add({ kind: 'event', tenantId, webhookId, event: shown }),
      ),
    );
  }

  /** Adds the actor's type and name. Emitters only know the id. */
  async #withActor(event: EventBody): Promise<EventBody> {
    const { actor } = event.data;
    if (actor?.id === undefined) return event;
    const found = await this.#applicationOf(event.tenant_id, actor.id);
    if (found === undefined) return event;
    const type = found.principal.applicationType === 'session' ? 'session' : 'application';
    const known: Actor = { ...actor, type, ...(found.name !== undefined && { name: found.name }) };
    return { ...event, data: { ...event.data, actor: known } };
  }

  /** Undefined when it is gone or cannot be read now: no event waits for a name. */
  async #applicationOf(tenantId: string, id: string): Promise<ApplicationRecord | undefined> {
    try {
      const found = await this.#options.published.applicationById(id);
      return found?.principal.tenantId === tenantId ? found : undefined;
    } catch {
      return undefined;
    }
  }

  #lose(err: unknown): void {
    this.#options.metrics.lost('queue');
    this.#options.logger.warn({ err }, 'an event could not be queued');
  }
}
