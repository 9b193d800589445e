import { deedOf, recordDeed } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { invitationTelling } from '../../invitations/events.ts';
import { removeInvitation } from '../../invitations/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteInvitation(
  { postgres }: Dependencies,
  { principal, id, correlationId }: Call,
): Promise<Reply> {
  await postgres.transaction(async (tx) => {
    const row = await removeInvitation(tx, principal.tenantId, id);
    await recordDeed(tx, deedOf({ principal, correlationId }, 'delete', 'tenant_invitation', id), [
      invitationTelling('deleted', row),
    ]);
  });
  return { status: 204 };
}
