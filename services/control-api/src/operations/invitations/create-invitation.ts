import { randomUUID } from 'node:crypto';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { invitationEvent } from '../../invitations/fields.ts';
import { type InvitationRow, expiryFrom, showInvitation } from '../../invitations/fields.ts';
import { insertInvitation } from '../../invitations/store.ts';
import { asMissingTenant } from '../../tenants/missing-tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireInviter } from './require-inviter.ts';
import { readInvitationInput } from './schema.ts';

/** Stores an invitation, which a person with this address accepts by signing in. No e-mail is sent. */
export async function createInvitation({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, body } = call;
  const { email, role = 'VIEWER' } = readInvitationInput(body);
  requireInviter(principal, role);
  const now = new Date();
  const row: InvitationRow = {
    id: randomUUID(),
    tenant_id: principal.tenantId,
    email,
    role,
    expires_at: expiryFrom(now),
    created_by: principal.applicationId,
    created_at: now,
    modified_by: null,
    modified_at: null,
  };
  await postgres
    .transaction(async (tx) => {
      await insertInvitation(tx, row);
      await recordAuditEvent(tx, auditEvent(call, 'create', 'tenant_invitation', row.id), [
        invitationEvent('created', row),
      ]);
    })
    .catch(asMissingTenant);
  const location = `/tenants/self/invitations/${row.id}`;
  return { status: 201, body: showInvitation(row, now), location };
}
