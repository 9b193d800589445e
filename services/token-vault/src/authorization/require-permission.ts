import { holdsAnywhere } from '@glovebox/access/rules';

import { auditEntry, keyPurpose } from '../audit/audit-entry.ts';
import type { IdentifiedCall } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { longestTokenId, tokenIdProblem } from '../expressions/token-id-grammar.ts';
import { recordDecisions, type AuditEntry } from '../store/audit-log.ts';
import { isExpired } from '../store/token-row.ts';
import { selectHeads } from '../store/token-rows.ts';
import { requireAuthentic } from '../tokens/authentic-rows.ts';
import { permissionDenied } from './refusals.ts';

type Granted = Extract<AuditEntry['operation'], 'create' | 'read' | 'update' | 'search' | 'delete'>;

/**
 * Refuses early a caller that holds the permission nowhere, and records the refusal.
 * @param tokenIds the tokens that the request names; those that exist are recorded
 */
export async function requireTokenPermission(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  operation: Granted,
  tokenIds: readonly string[] = [],
): Promise<void> {
  const permission = `token:${operation}` as const;
  if (holdsAnywhere(caller.grants, permission)) return;
  const known = await knownTokens(vault, caller.tenantId, tokenIds);
  const reason = 'not_held';
  const decisions = known.length > 0 ? known.map((tokenId) => ({ tokenId, reason })) : [{ reason }];
  const entries = decisions.map((decision) => auditEntry({ call, caller, operation }, decision));
  await recordDecisions(vault.postgres.forTenant(caller.tenantId), entries);
  throw permissionDenied(permission);
}

async function knownTokens(
  vault: VaultContext,
  tenantId: string,
  tokenIds: readonly string[],
): Promise<readonly string[]> {
  const possible = [...new Set(tokenIds)].filter((id) => tokenIdProblem(id, longestTokenId) === undefined);
  if (possible.length === 0) return [];
  const keys = possible.map((id) => ({ tenantId, id }));
  const heads = await selectHeads(vault.postgres.forTenant(tenantId), keys);
  await requireAuthentic(vault.keyring, heads);
  const now = Date.now();
  return heads.filter((head) => !isExpired(head, now)).map(({ id }) => id);
}

/** Permissions on clients' keys apply to the whole tenant. A refusal is recorded. */
export async function requireKeyPermission(
  vault: VaultContext,
  identified: IdentifiedCall,
  verb: 'create' | 'read' | 'delete',
): Promise<void> {
  const permission = `keys:${verb}` as const;
  if (holdsAnywhere(identified.caller.grants, permission)) return;
  const audited = { ...identified, operation: `${verb}_key`, purpose: keyPurpose } as const;
  const db = vault.postgres.forTenant(identified.caller.tenantId);
  await recordDecisions(db, [auditEntry(audited, { reason: 'not_held' })]);
  throw permissionDenied(permission);
}
