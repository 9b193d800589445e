import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ProxyRecord } from '@glovebox/published/records';

import { admitAnonymous } from '../../authentication/admit.ts';
import { type Caller, identifyCaller } from '../../authentication/authenticate.ts';
import { requireUse } from '../../authentication/require-use.ts';
import type { Exchange } from '../../http/exchange.ts';
import { unknownProxy } from './resolve-proxy.ts';

/**
 * Who invokes a proxy; undefined for an anonymous caller of a proxy that allows it. An API key that is sent is
 * judged even there (contract/proxies.md#authentication-of-invocations).
 * @throws AppError `unauthenticated`, `rate_limited`, `permission_denied` without token:use anywhere, and `not_found` for another
 * tenant's key: it is not told that the proxy exists.
 */
export function identifyProxyCaller(
  exchange: Exchange,
  proxy: ProxyRecord,
  registry: PublishedRecords,
): MaybePromise<Caller | undefined> {
  if (exchange.headers.apiKey === undefined && !proxy.requireAuth) return admitAnonymous(exchange, proxy);
  return andThen(identifyCaller(exchange, registry), (caller) => {
    if (caller.principal.tenantId !== proxy.tenantId) throw unknownProxy();
    if (proxy.requireAuth) requireUse(caller.principal);
    return caller;
  });
}
