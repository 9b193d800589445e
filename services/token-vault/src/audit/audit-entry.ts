import type { Principal } from '@glovebox/access/principal';

import type { AuditEntry } from '../store/audit-log.ts';

/** The purpose of entries about clients' keys. */
export const keyPurpose = 'key';

interface AuditedOperation {
  readonly call: { readonly correlationId: string | null };
  readonly caller: Principal;
  readonly operation: AuditEntry['operation'];
  readonly purpose?: string | null;
  readonly purposeId?: string | null;
}

interface AuditedDecision {
  readonly tokenId?: string;
  /** Absent: allowed. */
  readonly reason?: string | null;
  readonly view?: string | null;
  readonly cachedRevision?: string | null;
}

export function auditEntry(audited: AuditedOperation, decision: AuditedDecision): AuditEntry {
  const { tokenId = null, reason = null, view = null, cachedRevision = null } = decision;
  return {
    tenantId: audited.caller.tenantId,
    applicationId: audited.caller.applicationId,
    operation: audited.operation,
    tokenId,
    outcome: reason === null ? 'allowed' : 'denied',
    reason,
    view,
    purpose: audited.purpose ?? null,
    purposeId: audited.purposeId ?? null,
    correlationId: audited.call.correlationId,
    cachedRevision,
  };
}

const maxLength = 200;
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g;

/** Text that a caller chose, as the audit log stores it: bounded, without the characters that Postgres refuses. */
export function auditText(text: string): string | null {
  return text === '' ? null : text.slice(0, maxLength).replace(controls, '?');
}
