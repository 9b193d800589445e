import type { Handler } from '../http/operation.ts';
import type { TenantDependencies } from './dependencies.ts';
import { findTenant } from './store.ts';
import { showTenant } from './tenant.ts';

export function getTenant({ postgres }: TenantDependencies): Handler {
  return async ({ principal }) => ({
    status: 200,
    body: showTenant(await findTenant(postgres, principal.tenantId)),
  });
}
