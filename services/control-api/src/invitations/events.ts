import { type Telling, toldAudit } from '../events/emit.ts';
import type { InvitationRow } from './invitation.ts';

/** Not whom it invites: an address is personal. */
export function invitationTelling(change: 'created' | 'updated' | 'deleted', row: InvitationRow): Telling {
  const { id, expires_at } = row;
  const data = { id, expires_at: expires_at.toISOString(), ...toldAudit(row) };
  return { type: `tenant.invitation.${change}`, data };
}
