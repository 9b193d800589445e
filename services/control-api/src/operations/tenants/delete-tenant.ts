import { deedOf } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import { tombstonesOfTenant } from '../../tenants/published.ts';
import { lockTenant, removeTenant } from '../../tenants/store.ts';
import type { TenantDependencies } from './dependencies.ts';

export function deleteTenant({ changes }: TenantDependencies): Handler {
  return async ({ principal, correlationId }) => {
    await changes.apply(
      deedOf({ principal, correlationId }, 'delete', 'tenant', principal.tenantId),
      async (tx) => {
        const tenant = await lockTenant(tx, principal.tenantId);
        const records = await tombstonesOfTenant(tx, tenant);
        await removeTenant(tx, tenant.id);
        return { result: undefined, records };
      },
    );
    return { status: 204 };
  };
}
