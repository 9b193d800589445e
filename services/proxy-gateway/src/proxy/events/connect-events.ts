import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import { type RedisSpace, redisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import { OutlineWriter } from '@glovebox/published/outline-writer';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { RecentCounts } from '@glovebox/published/recent-counts';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import { RolloutCounter } from '@glovebox/published/rollout-counter';

import { type EventHandlers, eventHandlers } from './event-handlers.ts';

interface EventsOptions {
  readonly config: {
    readonly redis: RedisSpace & { readonly url: Secret<string> };
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
  const redis = connectRedis(config, logger, metrics);
  const names = redisNames(config.redis);
  const onLost = (err: unknown) => logger.warn({ err }, 'figures of rollouts or invocations were lost');
  const recent = new RecentCounts({ redis, names, onLost });
  const counter = new RolloutCounter({ redis, names, onLost });
  const sink = new EventSink(new EventInbox(redis, names, config.waitingEvents), createEventMetrics(metrics));
  const outlines = new OutlineWriter(new OutlineStore(redis, names), metrics);
  const handlers = eventHandlers({ published, logger, noteLeak, counter, recent, sink, outlines });
  return {
    handlers,
    counter,
    async [Symbol.asyncDispose]() {
      await Promise.all([sink, counter, outlines, recent].map((one) => one[Symbol.asyncDispose]()));
      redis.disconnect();
    },
  };
}

function connectRedis(config: EventsOptions['config'], logger: Logger, metrics: MetricsRegistry): Redis {
  const connectionName = 'proxy-gateway-events';
  return createRedis({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 1000,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
}
