import { decide, holdsAnywhere } from '@glovebox/access/rules';
import type { AppError } from '@glovebox/platform/errors/app-error';
import type { DeleteToken } from '@glovebox/protos/vault/v1/vault';

import { auditEntry } from '../../audit/audit-entry.ts';
import { tokenNotFound, permissionDenied } from '../../authorization/refusals.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { isToken } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { longestTokenId, tokenIdProblem } from '../../expressions/token-id-grammar.ts';
import { type AuditEntry, recordDecisions } from '../../store/audit-log.ts';
import { nameOf } from '../../store/row-cache.ts';
import { type TokenRow, isExpired } from '../../store/token-row.ts';
import { deleteRow, lockRow } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';

const permission = 'token:delete';

export async function deleteToken(
  vault: VaultContext,
  identified: IdentifiedCall,
  { tokenId }: DeleteToken,
): Promise<Outcome> {
  if (tokenIdProblem(tokenId, longestTokenId) !== undefined) throw tokenNotFound();
  return await deleteStored(vault, identified, tokenId);
}

/** The row and its audit row commit together. A refusal is recorded as well. */
export async function deleteStored(
  vault: VaultContext,
  identified: IdentifiedCall,
  rowId: string,
): Promise<Outcome> {
  const key = { tenantId: identified.caller.tenantId, id: rowId };
  const refusal = await vault.postgres.forTenant(key.tenantId).transaction(async (tx) => {
    const row = await lockRow(tx, key);
    if (row !== undefined) await requireAuthentic(vault.keyring, [row]);
    const decision = decideDelete(identified, row);
    await recordDecisions(tx, [decision.entry]);
    if (decision.refusal === undefined) {
      await deleteRow(tx, key);
      if (isToken(key))
        await vault.events.emitWithin(tx, originOf(identified), 'token.deleted', () => [{ id: rowId }]);
    }
    return decision.refusal;
  });
  if (refusal !== undefined) throw refusal;
  vault.rows.delete(nameOf(key));
  return { $case: 'deleted', value: {} };
}

function decideDelete(
  { call, caller }: IdentifiedCall,
  row: Pick<TokenRow, 'id' | 'container' | 'expiresAt' | 'revision'> | undefined,
): { readonly refusal?: AppError; readonly entry: AuditEntry } {
  const audited = { call, caller, operation: 'delete' } as const;
  const isThere = row !== undefined && !isExpired(row, Date.now());
  if (!holdsAnywhere(caller.grants, permission)) {
    const refused = { ...(isThere && { tokenId: row.id }), reason: 'not_held' };
    return { refusal: permissionDenied(permission), entry: auditEntry(audited, refused) };
  }
  if (!isThere) {
    return { refusal: tokenNotFound(), entry: auditEntry(audited, { reason: 'unknown_token' }) };
  }
  const decision = decide(caller.grants, permission, { container: row.container, tokenId: row.id });
  const { rule } = decision;
  if (decision.allowed) {
    return { entry: auditEntry(audited, { tokenId: row.id, rule, revision: row.revision }) };
  }
  return {
    refusal: permissionDenied(permission),
    entry: auditEntry(audited, { tokenId: row.id, rule, reason: decision.reason }),
  };
}
