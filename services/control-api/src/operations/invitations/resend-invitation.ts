import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { invitationEvent } from '../../invitations/fields.ts';
import { expiryFrom, showInvitation } from '../../invitations/fields.ts';
import { renewInvitation } from '../../invitations/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireInviter } from './require-inviter.ts';

/** Expired or not, it is valid for the whole period again. */
export async function resendInvitation({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  const now = new Date();
  const row = await postgres.transaction(async (tx) => {
    const renewed = await renewInvitation(tx, {
      tenant_id: principal.tenantId,
      id,
      expires_at: expiryFrom(now),
      modified_by: principal.applicationId,
      modified_at: now,
    });
    requireInviter(principal, renewed.role);
    await recordAuditEvent(tx, auditEvent(call, 'update', 'tenant_invitation', id), [
      invitationEvent('updated', renewed),
    ]);
    return renewed;
  });
  return { status: 200, body: showInvitation(row, now) };
}
