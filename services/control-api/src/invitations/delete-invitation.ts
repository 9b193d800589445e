import type { Handler } from '../http/operation.ts';
import { deedOf, recordDeed } from '../logs/deed.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';
import { removeInvitation } from './store.ts';

export function deleteInvitation({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id }) => {
    await postgres.transaction(async (tx) => {
      await removeInvitation(tx, principal.tenantId, id);
      await recordDeed(tx, deedOf(principal, 'delete', 'tenant_invitation', id));
    });
    return { status: 204 };
  };
}
