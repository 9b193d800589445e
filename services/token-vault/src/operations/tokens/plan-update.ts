import { type Transform, decide } from '@glovebox/access/rules';
import type { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import { guardPlaintext, withoutPlaintext } from '../../authorization/guard-plaintext.ts';
import { tokenNotFound, permissionDenied } from '../../authorization/refusals.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import type { AuditEntry } from '../../store/audit-log.ts';
import { type StoredRow, isExpired } from '../../store/token-row.ts';
import { applyPatch } from '../../tokens/apply-patch.ts';
import { openRow } from '../../tokens/open-rows.ts';
import type { JsonObject } from '../../values/json-value.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { type ChangedToken, changeToken, contentOf } from './change-token.ts';
import type { DraftContext } from './draft-token.ts';

const permission = 'token:update';

/** The decision on an update, and its audit entries. */
export type Update = { readonly entries: readonly AuditEntry[] } & (
  | { readonly refusal: AppError }
  | {
      readonly refusal: undefined;
      readonly changed: ChangedToken;
      readonly view: Transform;
      /** The fingerprints of the new value, if no other token may have it. */
      readonly onlyOneWith: readonly string[] | undefined;
    }
);

interface Granted {
  readonly view: Transform;
  readonly rule: number | null;
}

/**
 * Decides, then patches. A token that moves needs a grant in both containers. A caller who may not see its data may
 * not choose what is derived from it.
 * @throws AppError `invalid_argument` with every problem of the patch
 */
export async function planUpdate(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  drafting: DraftContext,
  row: StoredRow | undefined,
  patch: JsonObject,
): Promise<Update> {
  const audited = { call, caller, operation: 'update' } as const;
  const now = drafting.now.getTime();
  if (row === undefined || isExpired(row, now)) {
    return { refusal: tokenNotFound(), entries: [auditEntry(audited, { reason: 'unknown_token' })] };
  }
  const decideIn = (container: string): Update | Granted => {
    const decision = decide(caller.grants, permission, { container, tokenId: row.id });
    const { rule } = decision;
    if (decision.allowed) return { view: decision.transform ?? 'redact', rule };
    const entries = [auditEntry(audited, { tokenId: row.id, rule, reason: decision.reason })];
    return { refusal: permissionDenied(permission), entries };
  };
  const here = decideIn(row.container);
  if ('entries' in here) return here;

  const problems = new ValidationProblems();
  const current = contentOf(row, await openRow(vault, row));
  const patched = applyPatch(current, patch, now, vault.limits.token, problems.at(''));
  problems.throwIfAny();
  const there = decideIn(patched.content.container);
  if ('entries' in there) return there;
  const { view, rule } = there;
  const hasFingerprint = row.fingerprint !== null;
  const guarded = guardPlaintext(caller.grants, {
    tokenId: row.id,
    current,
    patched,
    patch,
    hasFingerprint,
    makesFingerprint: !hasFingerprint && !drafting.fingerprints && !drafting.deduplicates,
    deduplicates: drafting.deduplicates,
  });
  if (guarded.refusal !== undefined) {
    return {
      refusal: guarded.refusal,
      entries: [auditEntry(audited, { tokenId: row.id, rule, reason: withoutPlaintext })],
    };
  }

  const changed = changeToken(drafting, row, patched, guarded);
  const { fingerprints } = changed;
  const isOther = fingerprints.length > 0 && !fingerprints.includes(row.fingerprint ?? '');
  const deduplicates = patched.deduplicateToken ?? drafting.deduplicates;
  return {
    refusal: undefined,
    changed,
    view,
    onlyOneWith: deduplicates && isOther ? fingerprints : undefined,
    entries: [auditEntry(audited, { tokenId: row.id, view, rule })],
  };
}
