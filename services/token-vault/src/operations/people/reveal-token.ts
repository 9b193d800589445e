import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { RevealTokenRequest, RevealTokenResponse } from '@glovebox/protos/vault/v1/vault';

import { auditEntry, auditText, revealPurpose } from '../../audit/audit-entry.ts';
import { tokenNotFound } from '../../authorization/refusals.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import { callOfPerson } from '../../calls/person-call.ts';
import { recordViolation } from '../../context/record-violation.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import { readData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import { longestTokenId, tokenIdProblem } from '../../expressions/token-id-grammar.ts';
import { presentToken, textOfToken } from '../../presentation/present-token.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { countReveals } from '../../store/reveals.ts';
import { type TokenRow, isExpired } from '../../store/token-row.ts';
import { selectRows } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';
import { openRow } from '../../tokens/open-rows.ts';

/**
 * In a tenant, of all people together: this is for looking at a value, not for taking many away. It also bounds what a control-api
 * that somebody has taken over can learn here.
 */
const mostInAnHour = 60;
const shortestReason = 10;
const longestReason = 200;

/** Shows one token in plain to a person who says why (contract/people.md#reveal). */
export async function revealToken(
  vault: VaultContext,
  { person, tokenId, reason }: RevealTokenRequest,
  context: UnaryContext,
): Promise<RevealTokenResponse> {
  vault.barrier.requireOpen();
  vault.overload.requireRoom();
  const identified = callOfPerson(person, 'reveal', context);
  const why = auditText(reason.trim()) ?? '';
  if (why.length < shortestReason || reason.length > longestReason) {
    throw validationError({
      reason: [`must have between ${shortestReason} and ${longestReason} characters`],
    });
  }
  try {
    return { json: Buffer.from(await reveal(vault, identified, tokenId, why)) };
  } catch (error) {
    if (error instanceof IntegrityViolation) await recordViolation(vault, identified, error, 'read');
    throw error;
  }
}

/** It is recorded before it is opened, in the same log as every read. */
async function reveal(
  vault: VaultContext,
  identified: IdentifiedCall,
  tokenId: string,
  reason: string,
): Promise<string> {
  const { tenantId } = identified.caller;
  const db = vault.postgres.forTenant(tenantId);
  const audited = { ...identified, operation: 'read', purpose: revealPurpose } as const;
  const row = await find(vault, tenantId, tokenId);
  if (row === undefined) {
    await recordDecisions(db, [auditEntry(audited, { reason: 'unknown_token' })]);
    throw tokenNotFound();
  }
  const isAllowed = await db.transaction(async (tx) => {
    if ((await countReveals(tx, tenantId, mostInAnHour)) >= mostInAnHour) return false;
    await recordDecisions(tx, [{ ...auditEntry(audited, { tokenId, view: 'reveal' }), reason }]);
    const data = () => [{ ...readData(row), reason }];
    await vault.events.emitWithin(tx, originOf(identified), 'token.revealed', data);
    return true;
  });
  if (!isAllowed) {
    await recordDecisions(db, [auditEntry(audited, { tokenId, reason: 'reveal_limit' })]);
    const text = `At most ${mostInAnHour} tokens of a tenant are revealed in an hour.`;
    throw new AppError('rate_limited', text, { retryAfterSeconds: 60 });
  }
  const data = await openRow(vault, row);
  return textOfToken(presentToken({ row, view: 'reveal', data: () => data }, new WorkBudget()));
}

async function find(vault: VaultContext, tenantId: string, id: string): Promise<TokenRow | undefined> {
  if (tokenIdProblem(id, longestTokenId) !== undefined) return undefined;
  const rows = await selectRows(
    vault.postgres.forTenant(tenantId),
    [{ tenantId, id }],
    vault.limits.readBytes,
  );
  if (rows === undefined) throw new AppError('too_large', 'The token holds too much data.');
  await requireAuthentic(vault.keyring, rows);
  return rows.find((row) => !isExpired(row, Date.now()));
}
