import type { Principal } from '@glovebox/access/principal';
import {
  type DenialReason,
  type Reach,
  type Transform,
  anyReach,
  decide,
  holdsAnywhere,
  mayInvoke,
  mayUseTowards,
} from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type AuditedCall, auditEntry, keyPurpose } from '../audit/audit-entry.ts';
import type { AuditEntry } from '../store/audit-log.ts';
import { nameOf } from '../store/row-cache.ts';
import { type TokenRow, isExpired } from '../store/token-row.ts';
import type { LoadedRows } from '../tokens/load-rows.ts';
import { destinationNotBound, permissionDenied } from './refusals.ts';

export interface WantedRead {
  readonly call: AuditedCall;
  readonly caller: Principal;
  readonly operation: 'use' | 'read';
  /** A rule whose transform is not `reveal` does not suffice. */
  readonly onlyRevealed: boolean;
  /** Distinct and well-formed (token-id-grammar.ts). */
  readonly tokenIds: readonly string[];
  readonly purpose: string | null;
  readonly purposeId: string | null;
  /** Of a use: everywhere that the values can get to; absent: unknown. */
  readonly reach?: Reach | undefined;
  /** Of a use: where the values are sent, as `host:port`; null: nowhere. */
  readonly destination?: string | null;
  /** Whether it asks for plaintext that is not a token's: what a client encrypted, or a reactor's configuration. */
  readonly opensSecrets?: boolean;
  /** The clients' keys that were used to decrypt for it. */
  readonly keyIds?: readonly string[];
  /** The answer when tokens are unknown, expired or another tenant's. */
  refuseUnknown(tokenIds: readonly string[]): AppError;
}

export interface ReadDecision<Read extends WantedRead> {
  readonly read: Read;
  /** Undefined when the whole read is granted. */
  readonly refusal: AppError | undefined;
  /** In the order of the read's token ids. */
  readonly granted: readonly { readonly row: TokenRow; readonly view: Transform }[];
  readonly entries: readonly AuditEntry[];
}

/**
 * Denies by default: either every token exists and is granted, or the read is refused. A refusal records each
 * denied token, and once that some are unknown.
 */
export function decideRead<Read extends WantedRead>(
  read: Read,
  rows: LoadedRows,
  now: number,
): ReadDecision<Read> {
  const { caller, tokenIds } = read;
  const permission = `token:${read.operation}` as const;
  if (!mayAsk(read)) return refused(read, permissionDenied(permission), heldNowhere(read, rows, now));
  if (read.opensSecrets === true && !mayUseTowards(caller.grants, read.reach ?? anyReach)) {
    return refused(read, destinationNotBound(read.destination), [noToken(read, notBound)]);
  }
  if (tokenIds.length === 0) {
    return { read, refusal: undefined, granted: [], entries: [noToken(read, null), ...keysUsed(read)] };
  }

  const unknown: string[] = [];
  const denied: AuditEntry[] = [];
  const allowed: AuditEntry[] = [];
  const granted: { row: TokenRow; view: Transform }[] = [];
  for (const id of tokenIds) {
    const loaded = rows.get(nameOf({ tenantId: caller.tenantId, id }));
    if (loaded?.problem !== undefined) return refused(read, loaded.problem, []);
    if (loaded === undefined || isExpired(loaded.row, now)) {
      unknown.push(id);
      continue;
    }
    const { row, cached } = loaded;
    // The row may be out of date: then a refusal would be as wrong as an approval.
    const cachedRevision = cached ? row.revision : null;
    const target = { container: row.container, tokenId: id };
    const decision = decide(caller.grants, permission, target, read.reach);
    const { rule } = decision;
    if (!decision.allowed) {
      denied.push(auditEntry(read, { tokenId: id, rule, reason: decision.reason, cachedRevision }));
      continue;
    }
    const view = decision.transform ?? 'redact';
    if (read.onlyRevealed && view !== 'reveal') {
      denied.push(auditEntry(read, { tokenId: id, rule, reason: 'read_without_reveal', cachedRevision }));
      continue;
    }
    granted.push({ row, view });
    allowed.push(auditEntry(read, { tokenId: id, rule, view, cachedRevision }));
  }
  if (unknown.length > 0) {
    return refused(read, read.refuseUnknown(unknown), [...denied, noToken(read, 'unknown_token')]);
  }
  if (denied.length > 0) return refused(read, refusalOf(permission, denied, read), denied);
  return { read, refusal: undefined, granted, entries: [...allowed, ...keysUsed(read)] };
}

/** An invocation that uses no token needs no particular view. */
function mayAsk({ caller, operation, opensSecrets }: WantedRead): boolean {
  const isInvocation = operation === 'use' && opensSecrets !== true;
  return isInvocation ? mayInvoke(caller.grants) : holdsAnywhere(caller.grants, `token:${operation}`);
}

/** Records the tokens that exist among those that were asked for. */
function heldNowhere(read: WantedRead, rows: LoadedRows, now: number): readonly AuditEntry[] {
  const reason = 'not_held';
  const entries = read.tokenIds.flatMap((id) => {
    const loaded = rows.get(nameOf({ tenantId: read.caller.tenantId, id }));
    if (loaded === undefined || loaded.problem !== undefined || isExpired(loaded.row, now)) return [];
    return [
      auditEntry(read, { tokenId: id, reason, cachedRevision: loaded.cached ? loaded.row.revision : null }),
    ];
  });
  return entries.length > 0 ? entries : [noToken(read, reason)];
}

function keysUsed(read: WantedRead): AuditEntry[] {
  return (read.keyIds ?? []).map((id) => auditEntry({ ...read, purpose: keyPurpose, purposeId: id }, {}));
}

function refused<Read extends WantedRead>(
  read: Read,
  refusal: AppError,
  entries: readonly AuditEntry[],
): ReadDecision<Read> {
  return { read, refusal, granted: [], entries };
}

function noToken(read: WantedRead, reason: string | null): AuditEntry {
  return auditEntry(read, { reason });
}

const notBound: DenialReason = 'destination_not_bound';

/** A rule that grants without revealing is a common mistake: the message names it. */
function refusalOf(permission: string, [first]: readonly AuditEntry[], read: WantedRead): AppError {
  if (first?.reason === notBound) return destinationNotBound(read.destination);
  if (first?.reason !== 'use_without_reveal' && first?.reason !== 'read_without_reveal') {
    return permissionDenied(permission);
  }
  const text = `The access rule that grants ${permission} for the token ${first.tokenId} does not reveal it: its transform would have to be reveal.`;
  return new AppError('permission_denied', text);
}
