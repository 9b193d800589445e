import { auditEntry } from '../audit/audit-entry.ts';
import type { IdentifiedCall, OperationName } from '../calls/open-call.ts';
import type { IntegrityViolation } from '../crypto/integrity-violation.ts';
import { type AuditEntry, recordDecisions } from '../store/audit-log.ts';
import type { VaultContext } from './vault-context.ts';

/** The reason in the audit log. */
const reason = 'integrity_violation';

export type Reporting = Pick<VaultContext, 'postgres' | 'metrics' | 'logger'>;

/**
 * Counts, logs and records stored data that did not authenticate. Nothing of it was used by then, so a log that cannot be
 * written changes no answer.
 */
export async function recordViolation(
  vault: Reporting,
  { call, caller }: IdentifiedCall,
  { tokenId }: IntegrityViolation,
  operation = operations[call.operation],
): Promise<void> {
  await report(
    vault,
    auditEntry({ call, caller, operation }, { reason, ...(tokenId !== null && { tokenId }) }),
  );
}

/** The same for the vault's own work, and for calls of other services: no application is concerned. */
export async function recordOwnViolation(
  vault: Reporting,
  tenantId: string,
  { tokenId }: IntegrityViolation,
  operation: AuditEntry['operation'],
): Promise<void> {
  await report(vault, {
    tenantId,
    applicationId: null,
    operation,
    tokenId,
    outcome: 'denied',
    reason,
    view: null,
    purpose: null,
    purposeId: null,
    correlationId: null,
    rule: null,
    destination: null,
    clientAddress: null,
    cachedRevision: null,
    revision: null,
  });
}

async function report({ postgres, metrics, logger }: Reporting, entry: AuditEntry): Promise<void> {
  metrics.integrityViolations.add(1);
  const { tenantId: tenant_id, tokenId: token_id, operation } = entry;
  logger.error({ tenant_id, token_id, operation }, 'stored data does not authenticate');
  try {
    await recordDecisions(postgres.forTenant(entry.tenantId), [entry]);
  } catch (err) {
    logger.error({ err, tenant_id, token_id }, 'an integrity violation was not recorded');
  }
}

/** As the audit log names them. */
const operations: Readonly<Record<OperationName, AuditEntry['operation']>> = {
  detokenize: 'use',
  dryDetokenize: 'use',
  createToken: 'create',
  tokenize: 'create',
  createTokenIntent: 'create',
  getToken: 'read',
  listTokens: 'read',
  searchTokens: 'search',
  updateToken: 'update',
  deleteToken: 'delete',
  deleteTokenIntent: 'delete',
  associateTokens: 'associate',
  dissociateTokens: 'dissociate',
  createSession: 'create_session',
  authorizeSession: 'authorize_session',
  createKey: 'create_key',
  getKey: 'read_key',
  listKeys: 'read_key',
  deleteKey: 'delete_key',
  sealAnswer: 'use',
  openAnswer: 'use',
  unknown: 'use',
};
