import type { Handler } from '../http/operation.ts';
import type { TenantDependencies } from '../tenants/dependencies.ts';
import { showInvitation } from './invitation.ts';
import { findInvitation } from './store.ts';

export function getInvitation({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showInvitation(await findInvitation(postgres, principal.tenantId, id), new Date()),
  });
}
