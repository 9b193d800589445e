import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { type RowOf, column, created, modified, shownFields, text } from '../fields/column.ts';
import type { Role } from '../people/roles.ts';

export const invitationFields = {
  id: text({ fixed: true }),
  tenant_id: text({ fixed: true }),
  email: text({ fixed: true }),
  /** Of the member that it makes. */
  role: column<Role>()({ fixed: true }),
  expires_at: column<Date>()({}),
  ...created,
  ...modified,
};

/** An invitation as it is stored. */
export type InvitationRow = RowOf<typeof invitationFields>;

export const invitationStatuses = ['PENDING', 'EXPIRED'] as const;

const hour = 3_600_000;

/** From its creation, and from each time that it is sent again (contract/tenants.md#members-and-invitations). */
export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + 72 * hour);
}

/** An invitation as the API shows it (contract/tenants.md#members-and-invitations). */
export function showInvitation(row: InvitationRow, now: Date): object {
  const status: (typeof invitationStatuses)[number] = row.expires_at > now ? 'PENDING' : 'EXPIRED';
  return shownFields(invitationFields, row, { status });
}

/** Without the address, which is personal data. */
export function invitationEvent(change: 'created' | 'updated' | 'deleted', row: InvitationRow): WebhookEvent {
  const { id, expires_at } = row;
  const data = { id, expires_at: expires_at.toISOString(), ...auditFields(row) };
  return { type: `tenant.invitation.${change}`, data };
}
