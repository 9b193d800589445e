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
import { RecentCounts } from '@glovebox/published/recent-counts';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import { RolloutCounter } from '@glovebox/published/rollout-counter';
import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import { type KeepOutline, outlineKeeper } from '../../invocation-log/keep-outlines.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { countVersion } from './count-version.ts';
import { leakEvent, placesOf, responseLeak } from './leak-event.ts';
import { proxyEvent } from './proxy-event.ts';

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

/** What happens when something has ended. None of them throws, and nobody waits for them. */
export interface EventHandlers {
  /**
   * Emits the event of an invocation that has ended, if a webhook of the tenant subscribes to it, adds the invocation to
   * the figures of its rollout, and keeps its outline.
   */
  emitInvocation(this: void, invocation: ProxyInvocation): void;
  /** Logs, counts and records that an answer held a value, and emits the event. */
  emitLeak(this: void, invocation: ProxyInvocation, guard: ResponseGuard): void;
  readonly keepOutline: KeepOutline;
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
  const onLost = (err: unknown) => logger.warn({ err }, 'figures of rollouts or invocations were lost');
  const recent = new RecentCounts({ redis, names, onLost });
  const counter = new RolloutCounter({ redis, names, onLost });
  const sink = new EventSink(new EventInbox(redis, names, config.waitingEvents), createEventMetrics(metrics));
  const outlines = new OutlineWriter(new OutlineStore(redis, names), metrics);
  const keepOutline = outlineKeeper(published, outlines, recent);
  const emitIfWanted = (tenantId: string, type: WebhookEvent, event: () => EventBody) => {
    const emit = (webhooks: WebhooksRecord | undefined) => {
      if (webhooks?.endpoints.some(({ events }) => events.includes(type)) === true) sink.emit(event());
    };
    const webhooks = published.webhooksOfTenant(tenantId);
    if (!(webhooks instanceof Promise)) emit(webhooks);
    else webhooks.then(emit).catch(() => undefined);
  };
  const handlers: EventHandlers = {
    keepOutline,
    emitInvocation(invocation) {
      countVersion(invocation, counter);
      const { exchange, proxy, destination } = invocation;
      const subject = { type: 'proxy', id: proxy.id || undefined } as const;
      keepOutline(exchange, { tenantId: proxy.tenantId, subject, version: proxy.version, destination });
      emitIfWanted(invocation.proxy.tenantId, 'proxy.invoked', () => proxyEvent(invocation));
    },
    emitLeak(invocation, guard) {
      const { exchange, proxy, destination } = invocation;
      const { correlationId, logFields } = exchange;
      const { tenantId, id: proxyId } = proxy;
      const { applicationId } = logFields;
      const ids = { correlationId, tenantId, proxyId, applicationId };
      logger.warn({ ...ids, mode: guard.mode, foundIn: placesOf(guard), destination }, 'leak guard');
      noteLeak(responseLeak(invocation, guard));
      emitIfWanted(tenantId, 'proxy.response_leak', () => leakEvent(invocation, guard));
    },
  };
  return {
    handlers,
    counter,
    async [Symbol.asyncDispose]() {
      await Promise.all([sink, counter, outlines, recent].map((one) => one[Symbol.asyncDispose]()));
      redis.disconnect();
    },
  };
}
