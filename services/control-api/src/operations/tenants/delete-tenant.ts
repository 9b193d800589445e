import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { tombstonesOfTenant } from '../../tenants/published.ts';
import { lockTenant, removeTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteTenant({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal } = call;
  await changes.apply(auditEvent(call, 'delete', 'tenant', principal.tenantId), async (tx) => {
    const tenant = await lockTenant(tx, principal.tenantId);
    const records = await tombstonesOfTenant(tx, tenant);
    await removeTenant(tx, tenant.id);
    return { result: undefined, records };
  });
  return { status: 204 };
}
