import { deedOf } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import { proxyTelling } from '../../proxies/events.ts';
import { proxyTombstones } from '../../proxies/published.ts';
import { lockProxy, removeProxy } from '../../proxies/store.ts';
import type { ProxyDependencies } from './dependencies.ts';

export function deleteProxy({ changes }: ProxyDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    await changes.apply(deedOf({ principal, correlationId }, 'delete', 'proxy', id), async (tx) => {
      const row = await lockProxy(tx, principal.tenantId, id);
      await removeProxy(tx, id);
      return { result: undefined, records: proxyTombstones(row), tell: [proxyTelling('deleted', row)] };
    });
    return { status: 204 };
  };
}
