import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import { redisNames } from '@glovebox/published/keys';

import type { GatewayConfig } from '../../config.ts';
import type { RequestObserver } from '../../http/request-observer.ts';
import { type TellingOptions, tellInvocations } from './emit-invocations.ts';

interface EventsOptions extends Pick<TellingOptions, 'registry'> {
  readonly config: Pick<GatewayConfig, 'redis' | 'waitingEvents'>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** An observer that tells webhooks too, on a connection of its own: configuration must not wait behind it. */
export function connectEvents(
  observer: RequestObserver,
  { config, registry, logger, metrics }: EventsOptions,
): AsyncDisposable & { readonly observer: RequestObserver } {
  const redis = createRedis({
    url: config.redis.url,
    connectionName: 'proxy-gateway-events',
    commandTimeoutMs: 1000,
    onError: (error) => logger.warn({ err: error }, 'redis connection'),
  });
  const inbox = new EventInbox(redis, redisNames(config.redis.prefix), config.waitingEvents);
  const sink = new EventSink(inbox, createEventMetrics(metrics));
  return {
    observer: tellInvocations(observer, { registry, sink }),
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}
