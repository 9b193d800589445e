import type { TokenPermission } from '@glovebox/access/permission';
import { decide } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import type { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../audit/audit-entry.ts';
import type { IdentifiedCall } from '../calls/open-call.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { longestTokenId, tokenIdProblem } from '../expressions/token-id-grammar.ts';
import type { AuditEntry } from '../store/audit-log.ts';
import { isExpired } from '../store/token-row.ts';
import { selectHeads } from '../store/token-rows.ts';
import { requireAuthentic } from '../tokens/authentic-rows.ts';
import { tokenNotFound, permissionDenied } from './refusals.ts';

interface TokensDecision {
  readonly refusal: AppError | undefined;
  readonly entries: readonly AuditEntry[];
  /** By the token's id: the rule that grants. */
  readonly rules: ReadonlyMap<string, number | null>;
}

/** Checks that tokens exist and that a permission is granted on each. Reads none of their data. */
export async function authorizeTokens(
  { keyring }: { readonly keyring: Keyring },
  db: Queryable,
  { call, caller }: IdentifiedCall,
  operation: AuditEntry['operation'],
  permission: TokenPermission,
  tokenIds: readonly string[],
): Promise<TokensDecision> {
  const audited = { call, caller, operation } as const;
  const rules = new Map<string, number | null>();
  const unknown = {
    refusal: tokenNotFound(),
    entries: [auditEntry(audited, { reason: 'unknown_token' })],
    rules,
  };
  if (tokenIds.some((id) => tokenIdProblem(id, longestTokenId) !== undefined)) return unknown;
  const heads = await selectHeads(
    db,
    tokenIds.map((id) => ({ tenantId: caller.tenantId, id })),
  );
  await requireAuthentic(keyring, heads);
  const now = Date.now();
  if (heads.filter((head) => !isExpired(head, now)).length < tokenIds.length) return unknown;
  const denied: AuditEntry[] = [];
  for (const { id, container } of heads) {
    const decision = decide(caller.grants, permission, { container, tokenId: id });
    const { rule } = decision;
    if (decision.allowed) rules.set(id, rule);
    else denied.push(auditEntry(audited, { tokenId: id, reason: decision.reason, rule }));
  }
  return { refusal: denied.length > 0 ? permissionDenied(permission) : undefined, entries: denied, rules };
}
