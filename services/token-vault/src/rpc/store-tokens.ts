import { type Transform, decide, holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors';

import { Work, requestAllowance } from '../expressions/work.ts';
import { type AuditEntry, recordDecisions } from '../store/audit-log.ts';
import { makeRoom } from '../store/purge-expired.ts';
import { insertRows } from '../store/token-rows.ts';
import { type DerivedValues, deriveValues } from '../tokens/derive-values.ts';
import type { TokenRequest } from '../tokens/parse-token-request.ts';
import { Problems } from '../tokens/problems.ts';
import { checkAlias } from '../tokens/token-id.ts';
import type { VaultContext } from '../vault-context.ts';
import { auditEntry } from './audit-entry.ts';
import { checkStorable } from './check-storable.ts';
import { type Draft, draftToken, drafterOf } from './draft-token.ts';
import { forbidden } from './judge-read.ts';
import type { IdentifiedCall } from './open-call.ts';
import type { ReadableToken } from './read-tokens.ts';

const permission = 'token:create';

/** A valid request, and where in the body it stands. */
export interface WantedToken {
  readonly path: string;
  readonly request: TokenRequest;
}

/** Spares the vault the work on a request of somebody who may create nothing. */
export async function refuseWithoutCreate(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
): Promise<void> {
  if (holdsAnywhere(caller.grants, permission)) return;
  const deed = { call, caller, operation: 'create' } as const;
  await recordDecisions(vault.postgres, [auditEntry(deed, { reason: 'not_held' })]);
  throw forbidden(permission);
}

/**
 * Creates all tokens or none, together with the record of it.
 * @returns the tokens as this caller may see them, in order
 */
export async function storeTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  wanted: readonly WantedToken[],
): Promise<readonly ReadableToken[]> {
  if (wanted.length === 0) return [];
  const derived = deriveAll(wanted);
  const views = await judgeAll(vault, identified, wanted);
  const drafter = await drafterOf(vault, identified.caller);
  const hasAlias = wanted.some(({ request }) => request.id?.kind === 'alias');
  for (let attempt = 1; ; attempt += 1) {
    const drafts = wanted.map(({ request }, position) =>
      draftToken(drafter, request, derived[position] as DerivedValues, attempt <= aliasAttempts),
    );
    try {
      await insertAndRecord(vault, identified, drafts, views);
      return drafts.map(({ row, json }, position) => ({
        row: { ...row, revision: '', modifiedBy: null, modifiedAt: null },
        view: views[position] as Transform,
        data: () => json,
      }));
    } catch (error) {
      const mayRetry = hasAlias && attempt <= aliasAttempts;
      if (!(mayRetry && error instanceof AppError && error.code === 'conflict')) throw error;
    }
  }
}

/** After that many collisions the space of an alias counts as used up: the token gets a random id (api-facts 3.2). */
const aliasAttempts = 5;

function deriveAll(wanted: readonly WantedToken[]): readonly DerivedValues[] {
  const problems = new Problems();
  const work = new Work(requestAllowance);
  const derived = wanted.map(({ path, request }) => {
    const report = problems.at(path);
    checkStorable(request, report);
    if (request.id?.kind === 'alias') checkAlias(request.id.expression, request.data, report, work);
    return deriveValues(request, report, work);
  });
  problems.throwIfAny();
  return derived;
}

/** Every token must be granted in its container; refusals are recorded. */
async function judgeAll(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  wanted: readonly WantedToken[],
): Promise<readonly Transform[]> {
  const views: Transform[] = [];
  const denied: AuditEntry[] = [];
  for (const { request } of wanted) {
    const tokenId = request.id?.kind === 'literal' ? request.id.id : undefined;
    const decision = decide(caller.grants, permission, { container: request.container, tokenId });
    if (decision.allowed) views.push(decision.transform ?? 'redact');
    else denied.push(auditEntry({ call, caller, operation: 'create' }, { reason: decision.reason }));
  }
  if (denied.length === 0) return views;
  await recordDecisions(vault.postgres, denied);
  throw forbidden(permission);
}

async function insertAndRecord(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  drafts: readonly Draft[],
  views: readonly Transform[],
): Promise<void> {
  const rows = drafts.map(({ row }) => row);
  const chosen = drafts.filter(({ isChosen }) => isChosen).map(({ row }) => row.id);
  const entries = rows.map(({ id }, position) =>
    auditEntry({ call, caller, operation: 'create' }, { tokenId: id, view: views[position] ?? null }),
  );
  await vault.postgres.transaction(async (tx) => {
    if (chosen.length > 0) await makeRoom(tx, caller.tenantId, chosen);
    await insertRows(tx, rows);
    await recordDecisions(tx, entries);
  });
}
