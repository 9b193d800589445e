import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import { redisNames } from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';

import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { proxyEvent } from './proxy-event.ts';

interface EventsOptions {
  readonly config: {
    readonly redis: { readonly url: Secret<string>; readonly prefix: string };
    readonly waitingEvents: number;
  };
  readonly published: Pick<PublishedRecords, 'webhooksOfTenant'>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Emits events on a connection of their own: the reading of configuration must not wait behind them. */
export function connectEvents({ config, published, logger, metrics }: EventsOptions): AsyncDisposable & {
  /** Emits the event of an invocation that has ended, if a webhook of the tenant subscribes to it. */
  emitInvocation(this: void, invocation: ProxyInvocation): void;
} {
  const redis = createRedis({
    url: config.redis.url,
    connectionName: 'proxy-gateway-events',
    commandTimeoutMs: 1000,
    onError: (error) => logger.warn({ err: error }, 'redis connection'),
  });
  const inbox = new EventInbox(redis, redisNames(config.redis.prefix), config.waitingEvents);
  const sink = new EventSink(inbox, createEventMetrics(metrics));
  return {
    emitInvocation(invocation) {
      const emit = (webhooks: WebhooksRecord | undefined) => {
        if (webhooks?.endpoints.some(({ events }) => events.includes('proxy.invoked')) !== true) return;
        sink.emit(proxyEvent(invocation));
      };
      const webhooks = published.webhooksOfTenant(invocation.proxy.tenantId);
      if (!(webhooks instanceof Promise)) emit(webhooks);
      else webhooks.then(emit).catch(() => undefined);
    },
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}
