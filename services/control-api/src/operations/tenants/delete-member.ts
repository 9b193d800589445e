import { AppError } from '@glovebox/platform/errors/app-error';

import type { Handler } from '../../http/call.ts';
import { findTenant } from '../../tenants/store.ts';
import type { TenantDependencies } from './dependencies.ts';
import { missingMember } from './missing-member.ts';

export function deleteMember({ postgres }: TenantDependencies): Handler {
  return async ({ principal, id }) => {
    const tenant = await findTenant(postgres, principal.tenantId);
    if (id !== tenant.owner_id) throw missingMember();
    throw new AppError('unprocessable', 'The owner of a tenant cannot be removed.');
  };
}
