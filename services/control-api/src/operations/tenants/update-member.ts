import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showMember } from '../../people/fields.ts';
import { endSessionsOfMember } from '../../people/sessions.ts';
import { lockMember, writeMember } from '../../people/store.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireRank } from '../people/require-rank.ts';
import { missingMember, showOwner } from './member.ts';
import { readMemberInput } from './schema.ts';

/** Gives a member another role, and ends their sessions. */
export async function updateMember({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, body } = call;
  const { role } = readMemberInput(body);
  const tenant = await findTenant(postgres, principal.tenantId);
  if (id === tenant.owner_id) {
    if (role !== 'OWNER') throw new AppError('unprocessable', 'The owner of a tenant remains its owner.');
    return { status: 200, body: showOwner(tenant) };
  }
  return postgres.transaction(async (tx) => {
    const current = await lockMember(tx, tenant.id, id);
    if (current === undefined) throw missingMember();
    requireRank(principal, current.role);
    requireRank(principal, role);
    if (current.role === role) return { status: 200, body: showMember(current) };
    if (current.source === 'directory') {
      throw new AppError('unprocessable', 'The identity provider decides on the role of this member.');
    }
    const member = { ...current, role, modified_by: principal.applicationId, modified_at: new Date() };
    await writeMember(tx, member);
    await endSessionsOfMember(tx, tenant.id, id);
    await recordAuditEvent(tx, auditEvent(call, 'update', 'member', id));
    return { status: 200, body: showMember(member) };
  });
}
