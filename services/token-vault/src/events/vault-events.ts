import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { insertEvents } from '@glovebox/published/event-outbox';
import type { EventSink } from '@glovebox/published/event-sink';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { Actor, EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { IdentifiedCall } from '../calls/open-call.ts';

export interface Origin {
  readonly tenantId: string;
  readonly actor: Actor;
  /** Null: not a request. */
  readonly correlationId: string | null;
}

export interface VaultEventsOptions {
  readonly published: Pick<PublishedRecords, 'webhooksOfTenant'>;
  readonly sink: Pick<EventSink, 'emit'>;
}

/** Emits webhook events (docs/adr/0036). For a tenant without webhooks it costs a cache look-up. */
export class VaultEvents {
  readonly #options: VaultEventsOptions;

  constructor(options: VaultEventsOptions) {
    this.#options = options;
  }

  /**
   * Emits an event that commits with the change. It is stored if the subscriptions cannot be read: delivery checks
   * them again.
   * @param data of each event, without the data of a token
   */
  async emitWithin(
    tx: Queryable,
    origin: Origin,
    type: WebhookEvent,
    data: () => readonly object[],
  ): Promise<void> {
    let wanted = true;
    try {
      wanted = wants(await this.#options.published.webhooksOfTenant(origin.tenantId), type);
    } catch {
      // Stored: it may be wanted.
    }
    if (wanted) await insertEvents(tx, eventsOf(origin, type, data()));
  }

  /** Emits an event from memory, without waiting: the event is lost if the process ends first. */
  emit(origin: Origin, type: WebhookEvent, data: () => readonly object[]): void {
    const emitIfWanted = (webhooks: WebhooksRecord | undefined) => {
      if (!wants(webhooks, type)) return;
      for (const event of eventsOf(origin, type, data())) this.#options.sink.emit(event);
    };
    const webhooks = this.#options.published.webhooksOfTenant(origin.tenantId);
    if (webhooks instanceof Promise) webhooks.then(emitIfWanted).catch(() => undefined);
    else emitIfWanted(webhooks);
  }
}

function wants(webhooks: WebhooksRecord | undefined, type: WebhookEvent): boolean {
  return webhooks?.endpoints.some(({ events }) => events.includes(type)) ?? false;
}

function eventsOf(
  { tenantId, actor, correlationId }: Origin,
  type: WebhookEvent,
  dataOfEach: readonly object[],
): readonly EventBody[] {
  const timestamp = new Date().toISOString();
  return dataOfEach.map((data) => ({
    id: randomUUID(),
    type,
    timestamp,
    tenant_id: tenantId,
    trace_id: correlationId ?? randomUUID(),
    data: { ...data, actor },
  }));
}

/** The origin of what the vault does without a request. */
export function systemOrigin(tenantId: string): Origin {
  return { tenantId, actor: { type: 'system' }, correlationId: null };
}

export function originOf({ call, caller }: IdentifiedCall): Origin {
  const { tenantId, applicationId: id, applicationType, isPerson } = caller;
  const type = isPerson === true ? 'user' : applicationType === 'session' ? 'session' : 'application';
  return { tenantId, actor: { id, type }, correlationId: call.correlationId };
}
