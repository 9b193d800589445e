import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { lockMember, removeMember } from '../../people/store.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireRank } from '../people/require-rank.ts';
import { missingMember } from './member.ts';

/** Removes a member, whose sessions end. One whom the directory gives a role is a member again at the next sign-in. */
export async function deleteMember({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  const tenant = await findTenant(postgres, principal.tenantId);
  if (id === tenant.owner_id) {
    throw new AppError('unprocessable', 'The owner of a tenant cannot be removed.');
  }
  return postgres.transaction(async (tx) => {
    const member = await lockMember(tx, tenant.id, id);
    if (member === undefined) throw missingMember();
    requireRank(principal, member.role);
    await removeMember(tx, tenant.id, id);
    await recordAuditEvent(tx, auditEvent(call, 'delete', 'member', id));
    return { status: 204 };
  });
}
