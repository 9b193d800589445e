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
  const isNew = await changeAuthorized(vault, identified, 'associate', association, (tx) =>
    insertAssociation(tx, association, identified.caller.applicationId),
  );
  if (!isNew) throw new AppError('conflict', 'The token is a child of this one already.');
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
  const wasThere = await changeAuthorized(vault, identified, 'dissociate', association, (tx) =>
    deleteAssociation(tx, association),
  );
  if (!wasThere) throw new AppError('not_found', 'The token is not a child of this one.');
  return { $case: 'done', value: {} };
}

/** Changes an association and records that, or records the refusal. @returns whether there was anything to change */
async function changeAuthorized(
  vault: VaultContext,
  identified: IdentifiedCall,
  operation: 'associate' | 'dissociate',
  association: Association,
  change: (tx: Queryable) => Promise<boolean>,
): Promise<boolean> {
  const permission = operation === 'associate' ? 'token:read' : 'token:delete';
  const tokenIds = [...new Set([association.parentId, association.childId])];
  const { refusal, changed } = await vault.postgres
    .forTenant(identified.caller.tenantId)
    .transaction(async (tx) => {
      const decision = await authorizeTokens(vault, tx, identified, operation, permission, tokenIds);
      if (decision.refusal !== undefined) {
        await recordDecisions(tx, decision.entries);
        return { refusal: decision.refusal, changed: false };
      }
      const changed = await change(tx);
      if (changed) await recordAssociation(tx, identified, operation, association, decision.rules);
      return { refusal: undefined, changed };
    });
  if (refusal !== undefined) throw refusal;
  return changed;
}

export async function recordAssociation(
  tx: Queryable,
  identified: IdentifiedCall,
  operation: 'associate' | 'dissociate',
  { parentId, childId }: Association,
  rules: ReadonlyMap<string, number | null> = new Map(),
): Promise<void> {
  const audited = { ...identified, operation };
  const entryOf = (tokenId: string) => ({ tokenId, rule: rules.get(tokenId) ?? null });
  await recordDecisions(tx, [
    auditEntry({ ...audited, purpose: 'parent', purposeId: childId }, entryOf(parentId)),
    auditEntry({ ...audited, purpose: 'child', purposeId: parentId }, entryOf(childId)),
  ]);
}

export function ownChild(): AppError {
  return new AppError('invalid_argument', 'A token cannot be its own child.');
}
