import type { Principal } from '@glovebox/access/principal';

import type { AuditEntry } from '../store/audit-log.ts';

/** The purpose of entries about clients' keys. */
export const keyPurpose = 'key';
/** The purposes of what people who are signed in to the console read: masked, and in plain. */
export const personPurpose = 'console';
export const revealPurpose = 'reveal';

/** What the entries of a call have in common. */
export interface AuditedCall {
  readonly correlationId: string | null;
  readonly clientAddress: string | null;
}

/** In the audit log, what is about no tenant. */
export const noTenant = '00000000-0000-0000-0000-000000000000';

/** What an operator did to the whole installation. */
export function installationEntry(operation: AuditEntry['operation'], purpose: string): AuditEntry {
  const caller = { tenantId: noTenant, applicationId: null };
  const call = { correlationId: null, clientAddress: null };
  return auditEntry({ call, caller, operation, purpose }, {});
}

interface AuditedOperation {
  readonly call: AuditedCall;
  readonly caller: Pick<Principal, 'tenantId'> & { readonly applicationId: string | null };
  readonly operation: AuditEntry['operation'];
  readonly purpose?: string | null;
  readonly purposeId?: string | null;
  /** Of a use. */
  readonly destination?: string | null;
}

interface AuditedDecision {
  readonly tokenId?: string;
  /** Absent: allowed. */
  readonly reason?: string | null;
  readonly view?: string | null;
  /** The priority of the rule that decided; absent: none did. */
  readonly rule?: number | null;
  readonly cachedRevision?: string | null;
  readonly revision?: string | null;
}

export function auditEntry(audited: AuditedOperation, decision: AuditedDecision): AuditEntry {
  const { tokenId = null, reason = null, view = null, rule = null } = decision;
  const { cachedRevision = null, revision = null } = decision;
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
    rule,
    destination: audited.destination ?? null,
    clientAddress: audited.call.clientAddress,
    cachedRevision,
    revision,
  };
}

const maxLength = 200;
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g;

/** Text that a caller chose, as the audit log stores it: bounded, without the characters that Postgres refuses. */
export function auditText(text: string): string | null {
  return text === '' ? null : text.slice(0, maxLength).replace(controls, '?');
}
