import { decide } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';
import type { UpdateToken } from '@glovebox/protos/vault/v1/vault';

import { auditEntry } from '../../audit/audit-entry.ts';
import { requireUses } from '../../authorization/limit-uses.ts';
import { tokenNotFound } from '../../authorization/refusals.ts';
import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { tokenData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { longestTokenId, tokenIdProblem } from '../../expressions/token-id-grammar.ts';
import { type TokenResult, resultOfDuplicate, resultOfToken } from '../../presentation/token-result.ts';
import type { WriteResult } from '../../presentation/write-result.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { retryDeadlocks } from '../../store/retry-deadlocks.ts';
import { nameOf } from '../../store/row-cache.ts';
import type { StoredHead, StoredRow, TokenRow } from '../../store/token-row.ts';
import { type TokenKey, lockRow, selectRows } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';
import { type JsonObject } from '../../values/json-value.ts';
import { requireObject, readJsonBody } from '../../values/read-json-body.ts';
import { type DraftContext, draftContextOf } from './draft-token.ts';
import { findDuplicates } from './find-duplicates.ts';
import { type Update, planUpdate } from './plan-update.ts';
import { writeChange } from './write-change.ts';

/** Applies a merge patch (contract/tokens.md#merge-patch). Of two concurrent updates, the second builds on the first. */
export async function updateToken(
  vault: VaultContext,
  identified: IdentifiedCall,
  { tokenId, patch }: UpdateToken,
): Promise<WriteResult> {
  const { caller } = identified;
  if (tokenIdProblem(tokenId, longestTokenId) !== undefined) throw tokenNotFound();
  await requireTokenPermission(vault, identified, 'update', [tokenId]);
  const body = requireObject(readJsonBody(patch, vault.limits));
  const drafting = await draftContextOf(vault, caller);
  const key = { tenantId: caller.tenantId, id: tokenId };
  const token = await perform(vault, identified, drafting, key, body);
  return { form: { kind: 'token' }, tokens: [token] };
}

/** Plans the update before the row is locked, and again only if the token has changed since. */
async function perform(
  vault: VaultContext,
  identified: IdentifiedCall,
  drafting: DraftContext,
  key: TokenKey,
  patch: JsonObject,
): Promise<TokenResult> {
  const own = vault.postgres.forTenant(identified.caller.tenantId);
  const consider = async (db: Queryable) => {
    const read = await readRow(vault, db, key);
    return { ...(await planUpdate(vault, identified, drafting, read, patch)), read };
  };
  const first = await consider(own);
  if (first.refusal !== undefined) {
    await recordDecisions(own, first.entries);
    throw first.refusal;
  }
  if (first.view === 'reveal') {
    const audited = { ...identified, operation: 'update', purpose: null, purposeId: null } as const;
    await requireUses(vault, audited, [key.id]);
  }
  const { update, existing } = await retryDeadlocks(() =>
    own.transaction(async (tx) => {
      const locked = await lockRow(tx, key);
      const update = isUnchanged(first.read, locked) ? first : await consider(tx);
      const existing = await duplicateOf(vault, tx, drafting, update);
      if (update.refusal === undefined && existing === undefined) {
        const row = await writeChange(vault, tx, update.changed);
        const { revision } = row;
        await recordDecisions(
          tx,
          update.entries.map((entry) => ({ ...entry, revision })),
        );
        await vault.events.emitWithin(tx, originOf(identified), 'token.updated', () => [tokenData(row)]);
      } else {
        await recordDecisions(tx, update.entries);
      }
      return { update, existing };
    }),
  );
  if (update.refusal !== undefined) throw update.refusal;
  if (existing !== undefined) return showExisting(vault, identified, existing);
  vault.rows.delete(nameOf(key));
  const { row, json } = update.changed;
  return resultOfToken({ row, view: update.view, data: () => json }, 'token:update');
}

/** Tokens are also sealed anew, under another key, without a new revision. */
function isUnchanged(read: StoredRow | undefined, locked: StoredHead | undefined): boolean {
  if (read === undefined || locked?.revision !== read.revision) return false;
  return locked.envelopeHead.equals(read.sealedData.subarray(0, locked.envelopeHead.length));
}

async function readRow(vault: VaultContext, db: Queryable, key: TokenKey): Promise<StoredRow | undefined> {
  const rows = await selectRows(db, [key], vault.limits.readBytes);
  if (rows !== undefined) await requireAuthentic(vault.keyring, rows);
  return rows?.[0];
}

async function duplicateOf(
  vault: VaultContext,
  tx: Queryable,
  drafting: DraftContext,
  update: Update,
): Promise<StoredRow | undefined> {
  if (update.refusal !== undefined || update.onlyOneWith === undefined) return undefined;
  const found = await findDuplicates(vault, tx, drafting, new Map([['', update.onlyOneWith]]));
  return found.get('');
}

/** The answer shows the duplicate; the token stays as it is. */
async function showExisting(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  row: TokenRow,
): Promise<TokenResult> {
  const reading = decide(caller.grants, 'token:read', { container: row.container, tokenId: row.id });
  const view = reading.allowed ? (reading.transform ?? 'redact') : null;
  const audited = { call, caller, operation: 'read', purpose: 'deduplicated' } as const;
  const db = vault.postgres.forTenant(caller.tenantId);
  await recordDecisions(db, [auditEntry(audited, { tokenId: row.id, view, rule: reading.rule })]);
  return resultOfDuplicate(vault, row, view, false);
}
