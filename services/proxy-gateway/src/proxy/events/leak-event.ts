import { randomUUID } from 'node:crypto';

import { placeOf } from '@glovebox/access/host-set';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import type { EventBody } from '@glovebox/published/webhook-events';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { actorOf, namedProxy } from './proxy-event.ts';

/** The webhook event of an answer that held a value which was filled into the request; without the value. */
export function leakEvent(invocation: ProxyInvocation, guard: ResponseGuard, now = new Date()): EventBody {
  const { exchange, proxy, destination: url } = invocation;
  return {
    id: randomUUID(),
    type: 'proxy.response_leak',
    timestamp: now.toISOString(),
    tenant_id: proxy.tenantId,
    trace_id: exchange.correlationId,
    data: {
      proxy: namedProxy(proxy),
      mode: guard.mode,
      found_in: placesOf(guard),
      destination: url === undefined ? undefined : { url },
      actor: actorOf(exchange),
    },
  };
}

/** The same for the audit log. */
export function responseLeak(
  { exchange, proxy, destination }: ProxyInvocation,
  { mode }: ResponseGuard,
): ResponseLeak {
  return {
    tenantId: proxy.tenantId,
    subjectType: 'proxy',
    subjectId: proxy.id,
    destination: destination === undefined ? '' : placeOf(new URL(destination)),
    mode,
    applicationId: exchange.logFields.applicationId ?? '',
    correlationId: exchange.correlationId,
  };
}

export function placesOf({ inHeaders, inBody }: ResponseGuard): readonly string[] {
  return [...(inHeaders ? ['headers'] : []), ...(inBody ? ['body'] : [])];
}
