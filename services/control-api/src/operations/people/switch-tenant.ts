import type { Transacting } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import {
  type SessionClient,
  endSession,
  insertSession,
  newSessionId,
  sessionOver,
} from '../../people/sessions.ts';
import { holdMemberships } from '../../people/store.ts';

/**
 * Ends a person's session and begins one in another of their tenants. It is no new sign-in: the session lasts no longer.
 * @param db across all tenants
 * @returns the id of the new session
 * @throws AppError `not_found` when the person is no member there, `unauthenticated` when the session has ended meanwhile
 */
export function switchTenant(
  db: Transacting,
  sessionId: string,
  { userId, signedInAt }: { readonly userId: string; readonly signedInAt: Date },
  tenantId: string,
  client: SessionClient,
): Promise<string> {
  return db.transaction(async (tx) => {
    const memberships = await holdMemberships(tx, userId);
    if (memberships.every((member) => member.tenant_id !== tenantId)) {
      throw new AppError('not_found', 'You are no member of such a tenant.');
    }
    if (!(await endSession(tx, sessionId))) throw new AppError('unauthenticated', sessionOver);
    const id = newSessionId();
    const holder = { kind: 'member', userId } as const;
    await insertSession(tx, { id, tenantId, holder, client, signedInAt }, new Date());
    return id;
  });
}
