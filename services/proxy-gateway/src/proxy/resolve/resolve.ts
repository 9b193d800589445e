import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ProxyRecord } from '@glovebox/published/records';

import type { Caller } from '../../authentication/authenticate.ts';
import type { Exchange } from '../../http/exchange.ts';
import { type EphemeralRoute, ephemeralProxy } from './ephemeral-proxy.ts';
import { identifyProxyCaller } from './identify-proxy-caller.ts';
import { resolveProxy } from './resolve-proxy.ts';

export interface SelectRoute extends EphemeralRoute {
  readonly registry: PublishedRecords;
}

/** What a request goes through, and who sent it; undefined for an anonymous caller of a proxy that allows it. */
export interface Selected {
  readonly proxy: ProxyRecord;
  readonly caller: Caller | undefined;
}

/**
 * The proxy that a request names by its key or, without any, by a destination
 * (contract/proxies.md#selecting-a-proxy); and whether its caller may use it. @throws AppError
 */
export async function selectProxy(
  exchange: Exchange,
  queryKey: string | undefined,
  route: SelectRoute,
): Promise<Selected> {
  const { headers, notes } = exchange;
  if ((headers.proxyKey ?? queryKey) === undefined && headers.proxyUrl !== undefined) {
    const found = await ephemeralProxy(exchange, headers.proxyUrl, route);
    exchange.stages.enter('receive');
    return found;
  }
  const proxy = await resolveProxy(exchange, queryKey, route.registry);
  notes.proxyId = proxy.id;
  notes.tenantId = proxy.tenantId;
  const caller = await identifyProxyCaller(exchange, proxy, route.registry);
  if (caller !== undefined) notes.applicationId = caller.principal.applicationId;
  exchange.stages.enter('receive');
  return { proxy, caller };
}
