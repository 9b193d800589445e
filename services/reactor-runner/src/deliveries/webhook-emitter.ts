import { randomUUID } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord, WebhooksRecord } from '@glovebox/published/records';
import type { Actor, EventBody } from '@glovebox/published/webhook-events';

import { endingOf, failureOf } from '../requests/ending.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Deliveries } from './delivery-queue.ts';
import { type Invocation, endedEvent, invokedEvent } from './reactor-events.ts';

type Outcome = NonNullable<RunnerReply['outcome']>;

export interface EventTellerOptions {
  readonly registry: Pick<PublishedRecords, 'webhooksOfTenant' | 'applicationById'>;
  readonly deliveries: Deliveries;
  readonly metrics: Pick<DeliveryMetrics, 'lost'>;
  readonly logger: Logger;
}

/** Tells a tenant's webhooks what happens; costs nothing where there are none. */
export class EventTeller {
  readonly #options: EventTellerOptions;

  constructor(options: EventTellerOptions) {
    this.#options = options;
  }

  /** Resolves when every endpoint that wants it has it in the queue. Rejects when that is not certain. */
  async tell(event: EventBody): Promise<void> {
    const webhooks = await this.#options.registry.webhooksOfTenant(event.tenant_id);
    await this.#put(webhooks, event);
  }

  /**
   * Tells that a synchronous invocation begins, runs it and tells how it ended, before that is answered: what was
   * answered is in the queue. That events cannot be told is no failure of the invocation.
   */
  async around(
    invocation: Omit<Invocation, 'requestId' | 'type'>,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const webhooks = await this.#webhooksOf(invocation.tenantId);
    if (webhooks === undefined || webhooks.endpoints.length === 0) return run();
    const told: Invocation = { ...invocation, requestId: randomUUID(), type: 'sync' };
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const invoked = this.#try(webhooks, invokedEvent(told, Date.now()));
    try {
      const outcome = await run();
      await this.#try(webhooks, endedEvent(told, endingOf(outcome, elapsed())));
      return outcome;
    } catch (error) {
      await this.#try(webhooks, endedEvent(told, failureOf(error, elapsed())));
      throw error;
    } finally {
      await invoked;
    }
  }

  async #webhooksOf(tenantId: string): Promise<WebhooksRecord | undefined> {
    try {
      return await this.#options.registry.webhooksOfTenant(tenantId);
    } catch (error) {
      this.#lose(error);
      return undefined;
    }
  }

  async #try(webhooks: WebhooksRecord, event: EventBody): Promise<void> {
    await this.#put(webhooks, event).catch((error: unknown) => this.#lose(error));
  }

  async #put(webhooks: WebhooksRecord | undefined, event: EventBody): Promise<void> {
    const wanting = webhooks?.endpoints.filter(({ events }) => events.includes(event.type)) ?? [];
    if (wanting.length === 0) return;
    const { deliveries } = this.#options;
    const tenantId = event.tenant_id;
    const told = await this.#withActor(event);
    await Promise.all(
      wanting.map(({ id: webhookId }) => deliveries.add({ kind: 'event', tenantId, webhookId, event: told })),
    );
  }

  /** Whoever tells of an event knows the id of who acted; who that is is looked up once, here. */
  async #withActor(event: EventBody): Promise<EventBody> {
    const { actor } = event.data;
    if (actor?.id === undefined) return event;
    const found = await this.#applicationOf(event.tenant_id, actor.id);
    if (found === undefined) return event;
    const type = found.principal.applicationType === 'session' ? 'session' : 'application';
    const known: Actor = { ...actor, type, ...(found.name !== undefined && { name: found.name }) };
    return { ...event, data: { ...event.data, actor: known } };
  }

  /** Undefined for what is gone or cannot be read now: no event waits for a name. */
  async #applicationOf(tenantId: string, id: string): Promise<ApplicationRecord | undefined> {
    try {
      const found = await this.#options.registry.applicationById(id);
      return found?.principal.tenantId === tenantId ? found : undefined;
    } catch {
      return undefined;
    }
  }

  #lose(err: unknown): void {
    this.#options.metrics.lost('queue');
    this.#options.logger.warn({ err }, 'an event could not be told');
  }
}
