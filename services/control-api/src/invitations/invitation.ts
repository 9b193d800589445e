/** An invitation as it is stored. */
export interface InvitationRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly email: string;
  readonly expires_at: Date;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

export const invitationStatuses = ['PENDING', 'EXPIRED'] as const;

const hour = 3_600_000;

/** From its creation, and from each time that it is sent again (contract/tenants.md#members-and-invitations). */
export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + 72 * hour);
}

/** An invitation as the API shows it (contract/tenants.md#members-and-invitations). */
export function showInvitation(row: InvitationRow, now: Date): object {
  const status: (typeof invitationStatuses)[number] = row.expires_at > now ? 'PENDING' : 'EXPIRED';
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    email: row.email,
    status,
    expires_at: row.expires_at.toISOString(),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}
