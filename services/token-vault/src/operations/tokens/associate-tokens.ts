import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { AssociateTokens, DissociateTokens } from '@glovebox/protos/vault/v1/vault';

import { auditEntry } from '../../audit/audit-entry.ts';
import { authorizeTokens } from '../../authorization/authorize-tokens.ts';
import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { type WriteResult, emptyResult } from '../../presentation/write-result.ts';
import { type Association, deleteAssociation, insertAssociation } from '../../store/associations.ts';
import { recordDecisions } from '../../store/audit-log.ts';

/** Makes one token the child of another (contract/tokens.md#operations). The caller must be able to read both. */
export async function associateTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  { parentId, childId }: AssociateTokens,
): Promise<WriteResult> {
  await requireTokenPermission(vault, identified, 'read', [parentId, childId]);
  if (parentId === childId) throw ownChild();
  const association = { tenantId: identified.caller.tenantId, parentId, childId };
  const refusal = await vault.postgres.transaction(async (tx) => {
    const decision = await authorizeTokens(tx, identified, 'associate', 'token:read', [parentId, childId]);
    if (decision.refusal !== undefined) {
      await recordDecisions(tx, decision.entries);
      return decision.refusal;
    }
    if (await insertAssociation(tx, association, identified.caller.applicationId)) {
      await recordAssociation(tx, identified, 'associate', association);
      return undefined;
    }
    return new AppError('conflict', 'The token is a child of this one already.');
  });
  if (refusal !== undefined) throw refusal;
  return emptyResult;
}

/** The caller must be able to delete both. */
export async function dissociateTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  { parentId, childId }: DissociateTokens,
): Promise<Outcome> {
  await requireTokenPermission(vault, identified, 'delete', [parentId, childId]);
  const association = { tenantId: identified.caller.tenantId, parentId, childId };
  const refusal = await vault.postgres.transaction(async (tx) => {
    const decision = await authorizeTokens(tx, identified, 'dissociate', 'token:delete', [
      ...new Set([parentId, childId]),
    ]);
    if (decision.refusal !== undefined) {
      await recordDecisions(tx, decision.entries);
      return decision.refusal;
    }
    if (await deleteAssociation(tx, association)) {
      await recordAssociation(tx, identified, 'dissociate', association);
      return undefined;
    }
    return new AppError('not_found', 'The token is no child of this one.');
  });
  if (refusal !== undefined) throw refusal;
  return { $case: 'done', value: {} };
}

/** Writes an audit row for each of the two. */
export async function recordAssociation(
  tx: Queryable,
  identified: IdentifiedCall,
  operation: 'associate' | 'dissociate',
  { parentId, childId }: Association,
): Promise<void> {
  const audited = { ...identified, operation };
  await recordDecisions(tx, [
    auditEntry({ ...audited, purpose: 'parent', purposeId: childId }, { tokenId: parentId }),
    auditEntry({ ...audited, purpose: 'child', purposeId: parentId }, { tokenId: childId }),
  ]);
}

export function ownChild(): AppError {
  return new AppError('invalid_argument', 'A token cannot be its own child.');
}
