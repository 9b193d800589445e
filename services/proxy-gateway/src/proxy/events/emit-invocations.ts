import type { EventSink } from '@glovebox/published/event-sink';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { WebhooksRecord } from '@glovebox/published/records';

import type { Exchange } from '../../http/exchange.ts';
import type { RequestObserver } from '../../http/request-observer.ts';
import { proxyEvent } from './proxy-event.ts';

export interface TellingOptions {
  readonly registry: Pick<PublishedRecords, 'webhooksOfTenant'>;
  readonly sink: Pick<EventSink, 'emit'>;
}

/** Tells webhooks of invocations that have ended; no request waits for it. */
export function tellInvocations(
  observer: RequestObserver,
  { registry, sink }: TellingOptions,
): RequestObserver {
  return {
    began: (exchange, route) => observer.began(exchange, route),
    failed: (cause) => observer.failed(cause),
    ended(exchange, route) {
      observer.ended(exchange, route);
      if (exchange.notes.invoked === undefined) return;
      const webhooks = registry.webhooksOfTenant(exchange.notes.invoked.proxy.tenantId);
      if (!(webhooks instanceof Promise)) tellIfWanted(webhooks, exchange, sink);
      else webhooks.then((read) => tellIfWanted(read, exchange, sink)).catch(() => undefined);
    },
  };
}

function tellIfWanted(
  webhooks: WebhooksRecord | undefined,
  exchange: Exchange,
  sink: TellingOptions['sink'],
): void {
  const { invoked } = exchange.notes;
  if (invoked === undefined) return;
  if (webhooks?.endpoints.some(({ events }) => events.includes('proxy.invoked')) !== true) return;
  sink.emit(proxyEvent(exchange, invoked));
}
