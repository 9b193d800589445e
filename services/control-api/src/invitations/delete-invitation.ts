import type { Handler } from '../http/operation.ts';
import { deedOf, recordDeed } from '../logs/deed.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';
import { removeInvitation } from './store.ts';
import { invitationTelling } from './telling.ts';

export function deleteInvitation({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    await postgres.transaction(async (tx) => {
      const row = await removeInvitation(tx, principal.tenantId, id);
      await recordDeed(tx, deedOf({ principal, correlationId }, 'delete', 'tenant_invitation', id), [
        invitationTelling('deleted', row),
      ]);
    });
    return { status: 204 };
  };
}
