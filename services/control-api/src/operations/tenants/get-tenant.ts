import type { Handler } from '../../http/call.ts';
import { findTenant } from '../../tenants/store.ts';
import { showTenant } from '../../tenants/tenant.ts';
import type { TenantDependencies } from './dependencies.ts';

export function getTenant({ postgres }: TenantDependencies): Handler {
  return async ({ principal }) => ({
    status: 200,
    body: showTenant(await findTenant(postgres, principal.tenantId)),
  });
}
