import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import { redisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import { OutlineWriter } from '@glovebox/published/outline-writer';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import { RolloutCounter } from '@glovebox/published/rollout-counter';

import { type EventHandlers, eventHandlers } from './event-handlers.ts';

interface EventsOptions {
  readonly config: {
    readonly redis: { readonly url: Secret<string>; readonly prefix: string };
    readonly waitingEvents: number;
  };
  readonly published: Pick<PublishedRecords, 'tenantById' | 'webhooksOfTenant'>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Counts a leak, and has it recorded in the audit log. */
  readonly noteLeak: (leak: ResponseLeak) => void;
}

/** Emits events on a connection of their own: the reading of configuration must not wait behind them. */
export function connectEvents({
  config,
  published,
  logger,
  metrics,
  noteLeak,
}: EventsOptions): AsyncDisposable & {
  readonly handlers: EventHandlers;
  /** Adds to the figures of rollouts. */
  readonly counter: RolloutCounter;
} {
  const redis = createRedis({
    url: config.redis.url,
    connectionName: 'proxy-gateway-events',
    commandTimeoutMs: 1000,
    onError: (error) => logger.warn({ err: error }, 'redis connection'),
  });
  const names = redisNames(config.redis.prefix);
  const onLost = (err: unknown) => logger.warn({ err }, 'figures of rollouts were lost');
  const counter = new RolloutCounter({ redis, names, onLost });
  const inbox = new EventInbox(redis, names, config.waitingEvents);
  const sink = new EventSink(inbox, createEventMetrics(metrics));
  const outlines = new OutlineWriter(new OutlineStore(redis, names), metrics);
  const handlers = eventHandlers({ published, logger, noteLeak, counter, sink, outlines });
  return {
    handlers,
    counter,
    async [Symbol.asyncDispose]() {
      await Promise.all([sink, counter, outlines].map((one) => one[Symbol.asyncDispose]()));
      redis.disconnect();
    },
  };
}
