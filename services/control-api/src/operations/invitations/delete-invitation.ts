import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { invitationEvent } from '../../invitations/fields.ts';
import { removeInvitation } from '../../invitations/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteInvitation({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  await postgres.transaction(async (tx) => {
    const row = await removeInvitation(tx, principal.tenantId, id);
    await recordAuditEvent(tx, auditEvent(call, 'delete', 'tenant_invitation', id), [
      invitationEvent('deleted', row),
    ]);
  });
  return { status: 204 };
}
