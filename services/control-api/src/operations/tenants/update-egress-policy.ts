import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type TenantRow, showEgressPolicy } from '../../tenants/fields.ts';
import { publishedTenant, tenantEvent } from '../../tenants/published.ts';
import { lockTenant, replaceTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readEgressPolicyInput } from './schema.ts';

/** Replaces the policy. One that existing proxies do not fit is accepted: the mode `report` shows what it would refuse. */
export async function updateEgressPolicy(
  { changes, egressPolicy }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, body } = call;
  const policy = readEgressPolicyInput(body, egressPolicy);
  const row = await changes.apply(auditEvent(call, 'update', 'tenant', principal.tenantId), async (tx) => {
    const current = await lockTenant(tx, principal.tenantId);
    const next: TenantRow = {
      ...current,
      egress_policy: policy,
      version: String(BigInt(current.version) + 1n),
      modified_by: principal.applicationId,
      modified_at: new Date(),
    };
    await replaceTenant(tx, next);
    return { result: next, records: [publishedTenant(next)], events: [tenantEvent(next)] };
  });
  return { status: 200, body: showEgressPolicy(row) };
}
