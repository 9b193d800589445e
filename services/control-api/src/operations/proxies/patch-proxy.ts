import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeProxy } from './change-proxy.ts';
import { readSealedPatch } from './read-sealed-patch.ts';

/** Applies a merge patch (RFC 7396). It is merged after the row is locked, so concurrent changes are not lost. */
export async function patchProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes } = dependencies;
  const { principal, id } = call;
  const { tenantId } = principal;
  const applied = await readSealedPatch(dependencies, call, await findProxy(postgres, tenantId, id));
  const row = await changes.apply(auditEvent(call, 'update', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    return changeProxy(tx, call, current, applied(current));
  });
  return { status: 204, version: row.version };
}
