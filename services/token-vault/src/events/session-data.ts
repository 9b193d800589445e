import type { Session } from '../sessions/session-store.ts';

/** What webhooks are told of a session: neither its key nor its nonce. */
export function sessionData({ id, applicationId, expiresAt }: Session): object {
  return { id, application: { id: applicationId }, expires_at: new Date(expiresAt).toISOString() };
}
