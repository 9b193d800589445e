import { type WebhookEvent, auditFields } from '../events/emit.ts';
import type { InvitationRow } from './invitation.ts';

/** Not whom it invites: an address is personal. */
export function invitationEvent(change: 'created' | 'updated' | 'deleted', row: InvitationRow): WebhookEvent {
  const { id, expires_at } = row;
  const data = { id, expires_at: expires_at.toISOString(), ...auditFields(row) };
  return { type: `tenant.invitation.${change}`, data };
}
