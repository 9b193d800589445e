import type { Transacting } from '@glovebox/platform/db/postgres';

import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import { insertSession, newSessionId } from '../../people/sessions.ts';

export interface KeyHolder {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly keyHash: string;
}

/**
 * Signs in the holder of a management key, who then acts as its application (contract/people.md#sign-in-with-a-key).
 * @param db within the scope of the tenant
 * @returns the id of the session
 */
export function signInWithKey(
  db: Transacting,
  { tenantId, applicationId, keyHash }: KeyHolder,
  origin: Pick<AuditEvent, 'correlationId' | 'clientAddress'>,
): Promise<string> {
  return db.transaction(async (tx) => {
    const id = newSessionId();
    await insertSession(tx, id, tenantId, { kind: 'key', keyHash }, new Date());
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
}
