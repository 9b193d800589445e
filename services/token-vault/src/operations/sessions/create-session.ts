import { randomUUID } from 'node:crypto';

import { generateApiKey, generateNonce, hashKey } from '@glovebox/access/api-key';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { sessionData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { recordDecisions } from '../../store/audit-log.ts';

/** The session can do nothing yet (contract/tenants.md#sessions). Its key leaves only after the session is recorded. */
export async function createSession(vault: VaultContext, identified: IdentifiedCall): Promise<Outcome> {
  const { caller } = identified;
  const db = vault.postgres.forTenant(caller.tenantId);
  const audited = { ...identified, operation: 'create_session', purpose: 'session' } as const;
  if (caller.applicationType !== 'public') {
    await recordDecisions(db, [auditEntry(audited, { reason: 'wrong_type' })]);
    throw new AppError('permission_denied', 'Only a public application can create a session.');
  }
  const [key, nonce] = [generateApiKey(), generateNonce()];
  const session = {
    id: randomUUID(),
    tenantId: caller.tenantId,
    applicationId: caller.applicationId,
    keyHash: hashKey(key),
    nonceHash: hashKey(nonce),
    expiresAt: Date.now() + vault.limits.sessionLifetimeMs,
  };
  await vault.sessions.create(session);
  try {
    await recordDecisions(db, [auditEntry({ ...audited, purposeId: session.id }, {})]);
  } catch (error) {
    await vault.sessions.forget(session).catch(() => undefined);
    throw error;
  }
  vault.events.emit(originOf(identified), 'session.created', () => [sessionData(session)]);
  const shown = { session_key: key, nonce, expires_at: new Date(session.expiresAt).toISOString() };
  return { $case: 'session', value: { json: Buffer.from(JSON.stringify(shown)) } };
}
