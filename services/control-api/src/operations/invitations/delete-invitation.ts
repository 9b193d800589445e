import { deedOf, recordDeed } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import { invitationTelling } from '../../invitations/events.ts';
import { removeInvitation } from '../../invitations/store.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';

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
