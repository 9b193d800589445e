import { type Transacting, constraintOf } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import { type SessionClient, insertSession, newSessionId } from '../../people/sessions.ts';

export interface KeyHolder {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly keyHash: string;
}

/**
 * Signs in the holder of a management key, who then acts as its application (contract/people.md#sign-in-with-a-key).
 * @param db within the scope of the tenant
 * @returns the id of the session
 * @throws AppError `unauthenticated` when the key has ended meanwhile
 */
export function signInWithKey(
  db: Transacting,
  { tenantId, applicationId, keyHash }: KeyHolder,
  origin: Pick<AuditEvent, 'correlationId'> & SessionClient,
): Promise<string> {
  const signedIn = db.transaction(async (tx) => {
    const id = newSessionId();
    const holder = { kind: 'key', keyHash } as const;
    await insertSession(tx, { id, tenantId, holder, client: origin }, new Date());
    await recordAuditEvent(tx, {
      ...origin,
      tenantId,
      actorId: applicationId,
      actorType: 'application',
      operation: 'sign_in',
      entityType: 'application',
      entityId: applicationId,
    });
    return id;
  });
  return signedIn.catch((error: unknown) => {
    if (constraintOf(error) !== 'console_sessions_key') throw error;
    throw new AppError('unauthenticated', 'The API key is not valid.', { cause: error });
  });
}
