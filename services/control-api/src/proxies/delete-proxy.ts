import type { Handler } from '../http/operation.ts';
import { deedOf } from '../logs/deed.ts';
import type { ProxyDependencies } from './dependencies.ts';
import { proxyTombstones } from './published.ts';
import { lockProxy, removeProxy } from './store.ts';

export function deleteProxy({ changes }: ProxyDependencies): Handler {
  return async ({ principal, id }) => {
    await changes.apply(deedOf(principal, 'delete', 'proxy', id), async (tx) => {
      const row = await lockProxy(tx, principal.tenantId, id);
      await removeProxy(tx, id);
      return { result: undefined, records: proxyTombstones(row) };
    });
    return { status: 204 };
  };
}
