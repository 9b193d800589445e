import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findErasure } from '../../tenants/erasures.ts';
import type { Dependencies } from '../dependencies.ts';
import { withdrawTenant } from './withdraw-tenant.ts';

/**
 * Deletes the tenant, and answers when its keys are destroyed. If the vault cannot be reached, they are destroyed as soon
 * as it can (advance-erasure.ts).
 */
export async function deleteTenant({ postgres, changes, eraser }: Dependencies, call: Call): Promise<Reply> {
  const { tenantId, applicationId } = call.principal;
  await changes.apply(auditEvent(call, 'delete', 'tenant', tenantId), async (tx) => ({
    result: undefined,
    records: await withdrawTenant(tx, tenantId, applicationId),
  }));
  const erasure = await findErasure(postgres, tenantId);
  if (erasure !== undefined) await eraser.erase(erasure);
  return { status: 204 };
}
