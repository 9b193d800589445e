import type { Transacting } from '@glovebox/platform/db/postgres';
import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { repeatedly } from '@glovebox/platform/values/repeatedly';
import { EventInbox } from '@glovebox/published/event-inbox';
import { type EventMetrics, createEventMetrics } from '@glovebox/published/event-metrics';
import {
  deleteOldEvents,
  moveToInbox,
  hasStoredEvents,
  lockOldestEvents,
} from '@glovebox/published/event-outbox';
import { EventSink } from '@glovebox/published/event-sink';
import type { RedisNames } from '@glovebox/published/keys';

import { VaultEvents, type VaultEventsOptions } from './vault-events.ts';

export interface EventsOptions extends Pick<VaultEventsOptions, 'published'> {
  readonly redis: Redis;
  readonly names: RedisNames;
  readonly waitingEvents: number;
  /** How many replicas must have a stored event before it leaves the database. */
  readonly waitReplicas: number;
  readonly postgres: Transacting;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

export interface EventsConnection extends AsyncDisposable {
  readonly events: VaultEvents;
}

export function connectEvents(options: EventsOptions): EventsConnection {
  const { redis, names, postgres, published, logger } = options;
  const inbox = new EventInbox(redis, names, options.waitingEvents, options.waitReplicas);
  const metrics = createEventMetrics(options.metrics);
  const sink = new EventSink(inbox, metrics);
  const relaying = relayEvents({ postgres, inbox, metrics, logger });
  return {
    events: new VaultEvents({ published, sink }),
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]();
      await relaying[Symbol.asyncDispose]();
    },
  };
}

interface RelayOptions {
  readonly postgres: Transacting;
  readonly inbox: Pick<EventInbox, 'put'>;
  readonly metrics: EventMetrics;
  readonly logger: Logger;
}

const atOnce = 100;
const pauseMs = 500;
const dropPauseMs = 60_000;

/** Moves events from the outbox to the inbox in Redis, until it is disposed. Vaults share the work. */
function relayEvents(options: RelayOptions): AsyncDisposable {
  const { postgres, logger, metrics } = options;
  let failing = false;
  const relaying = repeatedly(pauseMs, async () => {
    try {
      let more = await hasStoredEvents(postgres);
      while (more) more = await relayBatch(options);
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'events were not handed on; the next round will try again');
      failing = true;
    }
  });
  // Separate from relaying: events also grow old while Redis is down.
  const dropping = repeatedly(dropPauseMs, async () => {
    try {
      metrics.lost('old', await deleteOldEvents(postgres));
    } catch (err) {
      logger.warn({ err }, 'could not drop events that have waited for a day');
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([relaying, dropping].map((rounds) => rounds[Symbol.asyncDispose]()));
    },
  };
}

/** @returns whether more events may wait, and the inbox has room */
function relayBatch({ postgres, inbox, metrics }: RelayOptions): Promise<boolean> {
  return postgres.transaction(async (tx) => {
    const stored = await lockOldestEvents(tx, atOnce);
    const { events, full } = await moveToInbox(tx, inbox, stored);
    metrics.handedOn(events);
    return stored.length === atOnce && !full;
  });
}
