import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { createEventMetrics } from '@glovebox/published/event-metrics';
import { EventSink } from '@glovebox/published/event-sink';
import { redisNames } from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { leakEvent, placesOf } from './leak-event.ts';
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
  /** Logs and counts that an answer held a value, and emits the event. */
  emitLeak(this: void, invocation: ProxyInvocation, guard: ResponseGuard): void;
} {
  const redis = createRedis({
    url: config.redis.url,
    connectionName: 'proxy-gateway-events',
    commandTimeoutMs: 1000,
    onError: (error) => logger.warn({ err: error }, 'redis connection'),
  });
  const inbox = new EventInbox(redis, redisNames(config.redis.prefix), config.waitingEvents);
  const sink = new EventSink(inbox, createEventMetrics(metrics));
  const leaks = new Counter({
    name: 'glovebox_response_leaks_total',
    help: 'Answers that held a value which was filled into the request, by what the leak guard did.',
    labelNames: ['mode'],
    registers: [metrics],
  });
  for (const mode of ['report', 'mask', 'refuse']) leaks.inc({ mode }, 0);
  const emitIfWanted = (tenantId: string, type: WebhookEvent, event: () => EventBody) => {
    const emit = (webhooks: WebhooksRecord | undefined) => {
      if (webhooks?.endpoints.some(({ events }) => events.includes(type)) === true) sink.emit(event());
    };
    const webhooks = published.webhooksOfTenant(tenantId);
    if (!(webhooks instanceof Promise)) emit(webhooks);
    else webhooks.then(emit).catch(() => undefined);
  };
  return {
    emitInvocation: (invocation) =>
      emitIfWanted(invocation.proxy.tenantId, 'proxy.invoked', () => proxyEvent(invocation)),
    emitLeak(invocation, guard) {
      const { exchange, proxy, destination } = invocation;
      const { correlationId, logFields } = exchange;
      const { mode } = guard;
      leaks.inc({ mode });
      const { tenantId, id: proxyId } = proxy;
      const { applicationId } = logFields;
      const ids = { correlationId, tenantId, proxyId, applicationId };
      logger.warn({ ...ids, mode, foundIn: placesOf(guard), destination }, 'leak guard');
      emitIfWanted(tenantId, 'proxy.response_leak', () => leakEvent(invocation, guard));
    },
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}
