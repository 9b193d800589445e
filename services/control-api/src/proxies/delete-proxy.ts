import type { Handler } from '../http/operation.ts';
import { deedOf } from '../logs/deed.ts';
import type { ProxyDependencies } from './dependencies.ts';
import { proxyTombstones } from './published.ts';
import { lockProxy, removeProxy } from './store.ts';
import { proxyTelling } from './telling.ts';

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
