import { type Transform, decide } from '@glovebox/access/rules';
import type { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import { guardPlaintext, withoutPlaintext } from '../../authorization/guard-plaintext.ts';
import { noSuchToken, forbidden } from '../../authorization/refusals.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import type { AuditEntry } from '../../store/audit-log.ts';
import { type TokenRow, isExpired } from '../../store/token-row.ts';
import { applyPatch } from '../../tokens/apply-patch.ts';
import { openRow } from '../../tokens/open-rows.ts';
import type { JsonObject } from '../../values/json-value.ts';
import { Problems } from '../../values/problems.ts';
import { type ChangedToken, changeToken, contentOf } from './change-token.ts';
import type { Drafter } from './draft-token.ts';

const permission = 'token:update';

/** What an update comes to, and what is recorded of it. */
export type Update = { readonly entries: readonly AuditEntry[] } & (
  | { readonly refusal: AppError }
  | {
      readonly refusal: undefined;
      readonly changed: ChangedToken;
      readonly view: Transform;
      /** Of a fingerprint that the token has not had, and that no second one is to have. */
      readonly onlyOneWith: string | undefined;
    }
);

/**
 * Decides, then patches. A token that moves must be granted where it is and where it goes, and who may not
 * see its data does not choose what is made of it.
 * @throws AppError `invalid_argument` with all that is wrong with the patch
 */
export async function considerUpdate(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  drafter: Drafter,
  row: TokenRow | undefined,
  patch: JsonObject,
): Promise<Update> {
  const deed = { call, caller, operation: 'update' } as const;
  const now = drafter.now.getTime();
  if (row === undefined || isExpired(row, now)) {
    return { refusal: noSuchToken(), entries: [auditEntry(deed, { reason: 'unknown_token' })] };
  }
  const refusalFor = (container: string): Update | Transform => {
    const decision = decide(caller.grants, permission, { container, tokenId: row.id });
    if (decision.allowed) return decision.transform ?? 'redact';
    const entries = [auditEntry(deed, { tokenId: row.id, reason: decision.reason })];
    return { refusal: forbidden(permission), entries };
  };
  const here = refusalFor(row.container);
  if (typeof here === 'object') return here;

  const problems = new Problems();
  const current = contentOf(row, await openRow(vault, row));
  const patched = applyPatch(current, patch, now, vault.limits.token, problems.at(''));
  problems.throwIfAny();
  const view = refusalFor(patched.content.container);
  if (typeof view === 'object') return view;
  const hasFingerprint = row.fingerprint !== null;
  const guarded = guardPlaintext(caller.grants, {
    tokenId: row.id,
    current,
    patched,
    patch,
    hasFingerprint,
    makesFingerprint: !hasFingerprint && !drafter.fingerprints && !drafter.deduplicates,
    deduplicates: drafter.deduplicates,
  });
  if (guarded.refusal !== undefined) {
    return {
      refusal: guarded.refusal,
      entries: [auditEntry(deed, { tokenId: row.id, reason: withoutPlaintext })],
    };
  }

  const changed = changeToken(drafter, row, patched, guarded);
  const { fingerprint } = changed.row;
  const deduplicates = patched.deduplicateToken ?? drafter.deduplicates;
  return {
    refusal: undefined,
    changed,
    view,
    onlyOneWith: deduplicates && fingerprint !== row.fingerprint ? (fingerprint ?? undefined) : undefined,
    entries: [auditEntry(deed, { tokenId: row.id, view })],
  };
}
