import type { Postgres } from '@glovebox/platform/db/postgres';
import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import type { RedisNames } from '@glovebox/published/keys';

import { relayEvents } from './relay-events.ts';
import { VaultEvents, type VaultEventsOptions } from './vault-events.ts';

export interface EventsOptions extends Pick<VaultEventsOptions, 'registry'> {
  readonly redis: Redis;
  readonly names: RedisNames;
  readonly waitingEvents: number;
  readonly postgres: Postgres;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

export interface EventsConnection extends AsyncDisposable {
  readonly events: VaultEvents;
}

export function connectEvents(options: EventsOptions): EventsConnection {
  const { redis, names, postgres, registry, logger } = options;
  const inbox = new EventInbox(redis, names, options.waitingEvents);
  const metrics = createEventMetrics(options.metrics);
  const sink = new EventSink(inbox, metrics);
  const relaying = relayEvents({ postgres, inbox, metrics, logger });
  return {
    events: new VaultEvents({ registry, sink }),
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]();
      await relaying[Symbol.asyncDispose]();
    },
  };
}
