import { deedOf } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { proxyTelling } from '../../proxies/events.ts';
import { proxyTombstones } from '../../proxies/published.ts';
import { lockProxy, removeProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteProxy(
  { changes }: Dependencies,
  { principal, id, correlationId }: Call,
): Promise<Reply> {
  await changes.apply(deedOf({ principal, correlationId }, 'delete', 'proxy', id), async (tx) => {
    const row = await lockProxy(tx, principal.tenantId, id);
    await removeProxy(tx, id);
    return { result: undefined, records: proxyTombstones(row), tell: [proxyTelling('deleted', row)] };
  });
  return { status: 204 };
}
