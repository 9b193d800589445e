import { AppError } from '@glovebox/platform/errors/app-error';

import type { Call, Reply } from '../../http/call.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingMember, showOwner } from './member.ts';
import { readMemberInput } from './schema.ts';

export async function updateMember(
  { postgres }: Dependencies,
  { principal, id, body }: Call,
): Promise<Reply> {
  const { role } = readMemberInput(body);
  const tenant = await findTenant(postgres, principal.tenantId);
  if (id !== tenant.owner_id) throw missingMember();
  if (role !== 'OWNER') throw new AppError('unprocessable', 'The owner of a tenant remains its owner.');
  return { status: 200, body: showOwner(tenant) };
}
