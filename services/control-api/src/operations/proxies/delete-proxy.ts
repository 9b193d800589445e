import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { proxyEvent } from '../../proxies/published.ts';
import { proxyTombstones } from '../../proxies/published.ts';
import { proxyRolloutTombstones } from '../../proxies/rollouts.ts';
import { lockProxy, removeProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteProxy({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  await changes.apply(auditEvent(call, 'delete', 'proxy', id), async (tx) => {
    const row = await lockProxy(tx, principal.tenantId, id);
    requireMatch(call.ifMatch, row.version);
    const records = [...proxyTombstones(row), ...(await proxyRolloutTombstones(tx, [id]))];
    await removeProxy(tx, id);
    return { result: undefined, records, events: [proxyEvent('deleted', row)] };
  });
  return { status: 204 };
}
