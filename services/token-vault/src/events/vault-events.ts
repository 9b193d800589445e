import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { insertEvents } from '@glovebox/published/event-outbox';
import type { EventSink } from '@glovebox/published/event-sink';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { Actor, EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { IdentifiedCall } from '../calls/open-call.ts';

/** Whose doing an event is. */
export interface Origin {
  readonly tenantId: string;
  readonly actor: Actor;
  /** Null: nobody's request. */
  readonly correlationId: string | null;
}

export interface VaultEventsOptions {
  readonly registry: Pick<PublishedRecords, 'webhooksOfTenant'>;
  readonly sink: Pick<EventSink, 'emit'>;
}

/** Tells webhooks what becomes of tokens and sessions (docs/adr/0036); of a tenant that has none it costs a look into a cache. */
export class VaultEvents {
  readonly #options: VaultEventsOptions;

  constructor(options: VaultEventsOptions) {
    this.#options = options;
  }

  /**
   * With the change, in its transaction. While nobody can say who wants it, it is kept: who delivers it asks again.
   * @param data of each event; nothing of the data of a token
   */
  async emitWithin(
    tx: Queryable,
    origin: Origin,
    type: WebhookEvent,
    data: () => readonly object[],
  ): Promise<void> {
    let wanted = true;
    try {
      wanted = wants(await this.#options.registry.webhooksOfTenant(origin.tenantId), type);
    } catch {
      // It may be wanted.
    }
    if (wanted) await insertEvents(tx, eventsOf(origin, type, data()));
  }

  /** Without anybody waiting for it: what the process has not handed on dies with it. */
  emit(origin: Origin, type: WebhookEvent, data: () => readonly object[]): void {
    const emitIfWanted = (webhooks: WebhooksRecord | undefined) => {
      if (!wants(webhooks, type)) return;
      for (const event of eventsOf(origin, type, data())) this.#options.sink.emit(event);
    };
    const webhooks = this.#options.registry.webhooksOfTenant(origin.tenantId);
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

/** What the vault does by itself. */
export function systemOrigin(tenantId: string): Origin {
  return { tenantId, actor: { type: 'system' }, correlationId: null };
}

export function originOf({ call, caller }: IdentifiedCall): Origin {
  const { tenantId, applicationId: id, applicationType } = caller;
  const type = applicationType === 'session' ? 'session' : 'application';
  return { tenantId, actor: { id, type }, correlationId: call.correlationId };
}
