import type { Principal } from '@glovebox/access/principal';
import { type Transform, decide } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import { permissionDenied } from '../../authorization/refusals.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { isToken, readData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import {
  type TokenReference,
  type ShownBy,
  type TokenResult,
  resultOfFound,
} from '../../presentation/token-result.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { type TokenRow, isExpired } from '../../store/token-row.ts';
import { selectRows } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';

/**
 * Reads the tokens of a replayed answer in their current state. It is authorized and recorded like any read. A
 * token that was changed since needs token:read; without it hardly more than the id is shown.
 * @throws AppError `conflict` when one of them is gone, `permission_denied`
 */
export async function replayAnswer(
  vault: VaultContext,
  identified: IdentifiedCall,
  tokens: readonly TokenReference[],
): Promise<readonly TokenResult[]> {
  const { call, caller } = identified;
  if (tokens.length === 0) return [];
  const db = vault.postgres.forTenant(caller.tenantId);
  const audited = { call, caller, operation: 'read', purpose: 'replayed' } as const;
  const rows = await rowsOf(vault, caller.tenantId, tokens);
  if (rows === undefined) {
    await recordDecisions(db, [auditEntry(audited, { reason: 'unknown_token' })]);
    throw new AppError('conflict', gone);
  }
  const decisions = rows.map((found) => decideOn(caller, found));
  const denied = decisions.filter(({ denial }) => denial !== undefined);
  const entries = (denied.length > 0 ? denied : decisions).map(({ row, view, rule, denial }) =>
    auditEntry(audited, { tokenId: row.id, view, rule, reason: denial?.reason ?? null }),
  );
  await recordDecisions(db, entries);
  const denial = denied[0]?.denial;
  if (denial !== undefined) throw permissionDenied(denial.permission);
  vault.events.emit(originOf(identified), 'token.read', () =>
    decisions.flatMap(({ row, view }) => (view !== null && isToken(row) ? [readData(row)] : [])),
  );
  return Promise.all(
    decisions.map(({ row, reference, view, isAsShown }) =>
      resultOfFound(vault, row, view, reference.shownBy, reference.extras, isAsShown),
    ),
  );
}

const gone =
  'The request with this idempotency key has succeeded before. A token of its answer does not exist any more.';

interface Found {
  readonly row: TokenRow;
  readonly reference: TokenReference;
}

interface ReplayDecision extends Found {
  /** Unchanged since it was shown. */
  readonly isAsShown: boolean;
  /** Null: hardly more than its id. */
  readonly view: Transform | null;
  readonly rule: number | null;
  readonly denial?: { readonly permission: ShownBy; readonly reason: string };
}

function decideOn({ grants }: Principal, found: Found): ReplayDecision {
  const { row, reference } = found;
  const isAsShown = row.modifiedAt?.getTime() === reference.modifiedAt;
  const permission = isAsShown ? reference.shownBy : 'token:read';
  const decision = decide(grants, permission, { container: row.container, tokenId: row.id });
  const { rule } = decision;
  if (decision.allowed) return { ...found, isAsShown, rule, view: decision.transform ?? 'redact' };
  if (permission === 'token:read') return { ...found, isAsShown, rule, view: null };
  return { ...found, isAsShown, rule, view: null, denial: { permission, reason: decision.reason } };
}

/** Undefined if one of them was deleted or has expired, even if its id was reused. */
async function rowsOf(
  vault: VaultContext,
  tenantId: string,
  tokens: readonly TokenReference[],
): Promise<readonly Found[] | undefined> {
  const ids = [...new Set(tokens.map(({ id }) => id))];
  const rows = await selectRows(
    vault.postgres.forTenant(tenantId),
    ids.map((id) => ({ tenantId, id })),
    vault.limits.readBytes,
  );
  if (rows === undefined) throw new AppError('too_large', 'The tokens of this request hold too much data.');
  await requireAuthentic(vault.keyring, rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = Date.now();
  const found: Found[] = [];
  for (const reference of tokens) {
    const row = byId.get(reference.id);
    if (row === undefined || isExpired(row, now) || row.createdAt.getTime() !== reference.createdAt)
      return undefined;
    found.push({ row, reference });
  }
  return found;
}
