import type { Handler } from '../http/operation.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';
import { removeInvitation } from './store.ts';

export function deleteInvitation({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id }) => {
    await removeInvitation(postgres, principal.tenantId, id);
    return { status: 204 };
  };
}
