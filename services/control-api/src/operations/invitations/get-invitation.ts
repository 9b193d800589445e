import type { Handler } from '../../http/call.ts';
import { showInvitation } from '../../invitations/invitation.ts';
import { findInvitation } from '../../invitations/store.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';

export function getInvitation({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showInvitation(await findInvitation(postgres, principal.tenantId, id), new Date()),
  });
}
