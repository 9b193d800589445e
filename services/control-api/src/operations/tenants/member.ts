import { AppError } from '@glovebox/platform/errors/app-error';

import type { TenantRow } from '../../tenants/fields.ts';

/** The first member of a tenant: its owner, a user of whom only the id is known (ADR 22). */
export function showOwner({ id, owner_id, created_by, created_at }: TenantRow): object {
  return {
    id: owner_id,
    tenant_id: id,
    role: 'OWNER',
    user: { id: owner_id },
    created_by,
    created_at: created_at.toISOString(),
  };
}

export function missingMember(): AppError {
  return new AppError('not_found', 'There is no such member.');
}
