import { hashKey } from '@glovebox/access/api-key';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { AuthorizeSession } from '@glovebox/protos/vault/v1/vault';
import { publishedRule } from '@glovebox/published/published-rule';

import { auditEntry } from '../../audit/audit-entry.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { sessionData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { type WriteResult, emptyResult } from '../../presentation/write-result.ts';
import { type Authorization, readAuthorization } from '../../sessions/read-authorization.ts';
import type { FoundSession } from '../../sessions/session-store.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { readJsonBody } from '../../values/read-json-body.ts';
import { narrowGrant } from './narrow-grant.ts';

/** Grants a session, once, a part of what the caller holds (contract/tenants.md#sessions). It is recorded first. */
export async function authorizeSession(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body, localDestinations = false }: AuthorizeSession,
): Promise<WriteResult> {
  const { caller } = identified;
  const record = (reason: string | null, sessionId: string | null = null) => {
    const audited = {
      ...identified,
      operation: 'authorize_session',
      purpose: 'session',
      purposeId: sessionId,
    } as const;
    return recordDecisions(vault.postgres.forTenant(caller.tenantId), [auditEntry(audited, { reason })]);
  };
  if (caller.applicationType !== 'private') {
    await record('wrong_type');
    throw new AppError('permission_denied', 'Only a private application can authorize a session.');
  }
  const limits = { ...vault.limits, access: { ...vault.limits.access, localDestinations } };
  const sent = readAuthorization(readJsonBody(body, limits), Date.now(), limits);
  const { wanted, excess } = await narrowGrant(vault, caller, sent);
  if (Object.keys(excess).length > 0) {
    await record('more_than_held');
    throw new AppError(
      'permission_denied',
      'An application can grant a session no more than it holds itself.',
      {
        errors: excess,
      },
    );
  }
  const session = await vault.sessions.find(hashKey(wanted.nonce));
  if (session?.tenantId !== caller.tenantId) throw unknownNonce();
  if (session.authorized) throw usedNonce();
  await record(null, session.id);
  const grant = grantOf(wanted, session, caller.applicationId);
  const outcome = await vault.sessions.authorize(session, grant);
  if (outcome === 'authorized') {
    const { expiresAt, permissions } = grant;
    vault.events.emit(originOf(identified), 'session.authorized', () => [
      { ...sessionData({ ...session, expiresAt }), permissions },
    ]);
    return emptyResult;
  }
  await record(outcome, session.id);
  throw outcome === 'used' ? usedNonce() : unknownNonce();
}

function grantOf({ permissions, rules, expiresAt }: Authorization, session: FoundSession, grantedBy: string) {
  return {
    permissions: [...permissions],
    rules: rules.map(publishedRule),
    grantedBy,
    expiresAt: expiresAt ?? session.expiresAt,
  };
}

const unknownNonce = () =>
  new AppError('not_found', 'There is no session with this nonce, or it has expired.');
const usedNonce = () => new AppError('conflict', 'The session has been authorized already.');
