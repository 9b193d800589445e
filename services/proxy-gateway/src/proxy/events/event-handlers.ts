import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { EventSink } from '@glovebox/published/event-sink';
import type { OutlineWriter } from '@glovebox/published/outline-writer';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { RecentCounts } from '@glovebox/published/recent-counts';
import type { WebhooksRecord } from '@glovebox/published/records';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';
import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import { type KeepOutline, outlineKeeper } from '../../invocation-log/keep-outlines.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { countVersion } from './count-version.ts';
import { leakEvent, placesOf, responseLeak } from './leak-event.ts';
import { proxyEvent } from './proxy-event.ts';

/** What happens after an invocation or request. No handler throws, and no request waits for one. */
export interface EventHandlers {
  /**
   * Emits the event of an invocation that has ended, if a webhook of the tenant subscribes to it, adds the invocation to
   * the figures of its rollout, and keeps its outline.
   */
  recordInvocation(this: void, invocation: ProxyInvocation): void;
  /** Logs, counts and records that an answer held a value, and emits the event. */
  emitLeak(this: void, invocation: ProxyInvocation, guard: ResponseGuard): void;
  readonly keepOutline: KeepOutline;
}

export interface HandlerOptions {
  readonly published: Pick<PublishedLookups, 'tenantById' | 'webhooksOfTenant'>;
  readonly logger: Logger;
  /** Counts a leak, and has it recorded in the audit log. */
  readonly noteLeak: (leak: ResponseLeak) => void;
  readonly counter: Pick<RolloutCounter, 'note' | 'noteCompared' | 'noteSkipped'>;
  readonly recent: Pick<RecentCounts, 'noteInvocation'>;
  readonly sink: Pick<EventSink, 'emit'>;
  readonly outlines: Pick<OutlineWriter, 'add'>;
}

/** Over what keeps events, figures and outlines. */
export function eventHandlers(options: HandlerOptions): EventHandlers {
  const { published, logger, noteLeak, counter, recent, sink, outlines } = options;
  const keepOutline = outlineKeeper(published, outlines, recent);
  const emitIfWanted = (tenantId: string, type: WebhookEvent, event: () => EventBody) => {
    const emit = (webhooks: WebhooksRecord | undefined) => {
      if (webhooks?.endpoints.some(({ events }) => events.includes(type)) === true) sink.emit(event());
    };
    const webhooks = published.webhooksOfTenant(tenantId);
    if (!(webhooks instanceof Promise)) emit(webhooks);
    else webhooks.then(emit).catch(() => undefined);
  };
  return {
    keepOutline,
    recordInvocation(invocation) {
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
}
