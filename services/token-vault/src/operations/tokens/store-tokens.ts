import { type Transform, decide } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import { permissionDenied } from '../../authorization/refusals.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { type TokenResult, resultOfDuplicate, resultOfToken } from '../../presentation/token-result.ts';
import { type AuditEntry, recordDecisions } from '../../store/audit-log.ts';
import { retryDeadlocks } from '../../store/retry-deadlocks.ts';
import { nameOf } from '../../store/row-cache.ts';
import { type DerivedValues, deriveValues } from '../../tokens/derive-values.ts';
import type { TokenRequest } from '../../tokens/parse-token-request.ts';
import { checkAlias } from '../../tokens/token-id.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { checkStorable } from './check-storable.ts';
import { type DraftContext, draftContextOf, draftToken, wantsFingerprint } from './draft-token.ts';
import { type DraftOutcome, insertOrDeduplicate } from './insert-or-deduplicate.ts';

const permission = 'token:create';

export interface WantedToken {
  readonly path: string;
  readonly request: TokenRequest;
}

/**
 * Creates all tokens or none, with their audit rows. Duplicates resolve to existing tokens.
 * @param andThen runs in the same transaction, with the ids
 * @returns the tokens as this caller may see them, in order
 */
export async function storeTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  wanted: readonly WantedToken[],
  andThen?: (tx: Queryable, ids: readonly string[]) => Promise<void>,
): Promise<readonly TokenResult[]> {
  if (wanted.length === 0) return [];
  const { tenantId } = identified.caller;
  const drafting = await draftContextOf(vault, identified.caller);
  const derived = await deriveAll(vault, drafting, wanted);
  const granted = await decideAll(vault, identified, derived);
  const hasAlias = wanted.some(({ request }) => request.id?.kind === 'alias');
  for (let attempt = 1; ; attempt += 1) {
    const drafts = await vault.turns.map(tenantId, granted, ({ path, request, values, view, rule }) => ({
      path,
      content: request,
      view,
      rule,
      draft: draftToken(drafting, request, values, attempt <= aliasAttempts),
    }));
    const store = async (tx: Queryable) => {
      const outcomes = await insertOrDeduplicate(vault, tx, identified, drafting, drafts);
      await andThen?.(tx, outcomes.map(idOf));
      return outcomes;
    };
    try {
      const outcomes = await retryDeadlocks(() =>
        vault.postgres.forTenant(identified.caller.tenantId).transaction(store),
      );
      return await Promise.all(outcomes.map((one) => resultOfDraft(vault, one)));
    } catch (error) {
      const mayRetry = hasAlias && attempt <= aliasAttempts;
      if (!(mayRetry && error instanceof AppError && error.code === 'conflict')) throw error;
    }
  }
}

function idOf(outcome: DraftOutcome): string {
  return outcome.kind === 'existing' ? outcome.row.id : outcome.draft.row.id;
}

async function resultOfDraft(vault: VaultContext, outcome: DraftOutcome): Promise<TokenResult> {
  if (outcome.kind === 'existing') {
    if (outcome.updated) vault.rows.delete(nameOf(outcome.row));
    return resultOfDuplicate(vault, outcome.row, outcome.view, outcome.updated);
  }
  const { draft, view } = outcome;
  const row = { ...draft.row, revision: '', modifiedBy: null, modifiedAt: null };
  const extras =
    outcome.kind === 'same'
      ? { deduplicated: true, deduplication_behavior: 'read_existing' }
      : { deduplicated: false };
  return resultOfToken(
    { row, view, data: () => draft.json },
    permission,
    draft.deduplicate ? extras : undefined,
  );
}

/** After so many collisions an alias counts as exhausted: the token gets a random id (contract/tokens.md#token-ids). */
const aliasAttempts = 5;

interface DerivedToken extends WantedToken {
  readonly values: DerivedValues;
}

interface GrantedToken extends DerivedToken {
  readonly view: Transform;
  /** The priority of the rule that grants it. */
  readonly rule: number | null;
}

async function deriveAll(
  { turns }: VaultContext,
  drafting: DraftContext,
  wanted: readonly WantedToken[],
): Promise<readonly DerivedToken[]> {
  const { caller, limits, work } = drafting;
  const problems = new ValidationProblems();
  const derived = await turns.map(caller.tenantId, wanted, ({ path, request }) => {
    const report = problems.at(path);
    checkStorable(request, report);
    if (request.id?.kind === 'alias') checkAlias(request.id.expression, request.data, limits, report, work);
    const values = deriveValues(request, limits, report, work, wantsFingerprint(drafting, request));
    return { path, request, values };
  });
  problems.throwIfAny();
  return derived;
}

/** Each token must be granted in its container; refusals are recorded. */
async function decideAll(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  wanted: readonly DerivedToken[],
): Promise<readonly GrantedToken[]> {
  const granted: GrantedToken[] = [];
  const denied: AuditEntry[] = [];
  for (const one of wanted) {
    const { request } = one;
    const tokenId = request.id?.kind === 'literal' ? request.id.id : undefined;
    const decision = decide(caller.grants, permission, { container: request.container, tokenId });
    const { rule } = decision;
    if (decision.allowed) granted.push({ ...one, view: decision.transform ?? 'redact', rule });
    else denied.push(auditEntry({ call, caller, operation: 'create' }, { rule, reason: decision.reason }));
  }
  if (denied.length === 0) return granted;
  await recordDecisions(vault.postgres.forTenant(caller.tenantId), denied);
  throw permissionDenied(permission);
}
