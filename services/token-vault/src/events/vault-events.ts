import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { insertEvents } from '@glovebox/published/event-outbox';
import type { EventSink } from '@glovebox/published/event-sink';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { Actor, EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

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

/** Tells webhooks what becomes of tokens and sessions (docs/adr/0037); of a tenant that has none it costs a look into a cache. */
export class VaultEvents {
  readonly #options: VaultEventsOptions;

  constructor(options: VaultEventsOptions) {
    this.#options = options;
  }

  /**
   * With the change, in its transaction. While nobody can say who wants it, it is kept: who delivers it asks again.
   * @param told one event each; nothing of a token's data
   */
  async keep(
    tx: Queryable,
    origin: Origin,
    type: WebhookEvent,
    told: () => readonly object[],
  ): Promise<void> {
    let wanted = true;
    try {
      wanted = wants(await this.#options.registry.webhooksOfTenant(origin.tenantId), type);
    } catch {
      // It may be wanted.
    }
    if (wanted) await insertEvents(tx, eventsOf(origin, type, told()));
  }

  /** Without anybody waiting for it: what the process has not handed on dies with it. */
  tell(origin: Origin, type: WebhookEvent, told: () => readonly object[]): void {
    const tellIfWanted = (webhooks: WebhooksRecord | undefined) => {
      if (!wants(webhooks, type)) return;
      for (const event of eventsOf(origin, type, told())) this.#options.sink.emit(event);
    };
    const webhooks = this.#options.registry.webhooksOfTenant(origin.tenantId);
    if (webhooks instanceof Promise) webhooks.then(tellIfWanted).catch(() => undefined);
    else tellIfWanted(webhooks);
  }
}

function wants(webhooks: WebhooksRecord | undefined, type: WebhookEvent): boolean {
  return webhooks?.endpoints.some(({ events }) => events.includes(type)) ?? false;
}

function eventsOf(
  { tenantId, actor, correlationId }: Origin,
  type: WebhookEvent,
  told: readonly object[],
): readonly EventBody[] {
  const timestamp = new Date().toISOString();
  return told.map((data) => ({
    id: randomUUID(),
    type,
    timestamp,
    tenant_id: tenantId,
    trace_id: correlationId ?? randomUUID(),
    data: { ...data, actor },
  }));
}

/** What the vault does by itself. */
export function ownDoing(tenantId: string): Origin {
  return { tenantId, actor: { type: 'system' }, correlationId: null };
}
