import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type TenantRow, showTenant } from '../../tenants/fields.ts';
import { tenantEvent } from '../../tenants/published.ts';
import { publishedTenant } from '../../tenants/published.ts';
import { lockTenant, replaceTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readTenantInput } from './schema.ts';

export async function updateTenant({ changes, inputLimits }: Dependencies, call: Call): Promise<Reply> {
  const { principal, body } = call;
  const input = readTenantInput(inputLimits, body);
  const row = await changes.apply(auditEvent(call, 'update', 'tenant', principal.tenantId), async (tx) => {
    const current = await lockTenant(tx, principal.tenantId);
    const next: TenantRow = {
      ...current,
      ...input,
      version: String(BigInt(current.version) + 1n),
      modified_by: principal.applicationId,
      modified_at: new Date(),
    };
    await replaceTenant(tx, next);
    return { result: next, records: [publishedTenant(next)], events: [tenantEvent(next)] };
  });
  return { status: 200, body: showTenant(row) };
}
