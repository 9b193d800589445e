import { AppError } from '@glovebox/platform/errors/app-error';

import type { Call, Reply } from '../../http/call.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingMember } from './member.ts';

export async function deleteMember({ postgres }: Dependencies, { principal, id }: Call): Promise<Reply> {
  const tenant = await findTenant(postgres, principal.tenantId);
  if (id !== tenant.owner_id) throw missingMember();
  throw new AppError('unprocessable', 'The owner of a tenant cannot be removed.');
}
