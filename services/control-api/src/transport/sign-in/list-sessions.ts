import { listOwnSessions } from '../../people/own-sessions.ts';
import type { SignInHandler } from './options.ts';
import { signedInHolder } from './signed-in-holder.ts';

/** Where somebody is signed in: their sessions in all tenants (contract/people.md#your-sessions). */
export const listSessions: SignInHandler = async (options, request, response) => {
  const { db, tenantIds, holder, publicId } = await signedInHolder(options, request);
  const sessions = await listOwnSessions(db, tenantIds, holder, new Date());
  const data = sessions.map((session) => ({
    id: session.id,
    current: session.id === publicId,
    tenant: { id: session.tenantId, name: session.tenantName },
    signed_in_with: holder.kind === 'member' ? 'openid_connect' : 'management_key',
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    client_address: session.clientAddress,
    user_agent: session.userAgent,
  }));
  response.json({ data });
};
