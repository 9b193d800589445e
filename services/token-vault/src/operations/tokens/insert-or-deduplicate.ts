import { type Transform, decide } from '@glovebox/access/rules';
import type { Queryable } from '@glovebox/platform/db/postgres';

import { auditEntry } from '../../audit/audit-entry.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { isToken, tokenData } from '../../events/event-data.ts';
import { originOf, systemOrigin } from '../../events/vault-events.ts';
import { type AuditEntry, recordDecisions } from '../../store/audit-log.ts';
import { freeExpiredIds } from '../../store/purge-expired.ts';
import type { StoredRow } from '../../store/token-row.ts';
import { insertRows } from '../../store/token-rows.ts';
import { bindRow } from '../../tokens/bind-rows.ts';
import type { TokenContent } from '../../tokens/token-content.ts';
import { changeToken, contentOf } from './change-token.ts';
import type { Draft, DraftContext } from './draft-token.ts';
import { findDuplicates } from './find-duplicates.ts';
import { writeChange } from './write-change.ts';

export type DraftOutcome = (
  | { readonly kind: 'new'; readonly draft: Draft; readonly view: Transform }
  /** A duplicate of an earlier draft of the same request. */
  | { readonly kind: 'same'; readonly draft: Draft; readonly view: Transform }
  /** A duplicate of a stored token; `view` is null if the caller may not read that. */
  | {
      readonly kind: 'existing';
      readonly row: StoredRow;
      readonly view: Transform | null;
      readonly updated: boolean;
    }
) & {
  /** The priority of the access rule that grants it. */
  readonly rule: number | null;
};

/** A draft, its valid request, and the caller's view of the result. */
export interface DraftRequest {
  readonly path: string;
  readonly draft: Draft;
  readonly content: TokenContent;
  readonly view: Transform;
  readonly rule: number | null;
}

/** Inserts drafts without a duplicate, and returns the outcome of each draft in order. */
export async function insertOrDeduplicate(
  vault: VaultContext,
  tx: Queryable,
  identified: IdentifiedCall,
  drafting: DraftContext,
  wanted: readonly DraftRequest[],
): Promise<readonly DraftOutcome[]> {
  const sought = wanted
    .filter(({ draft }) => draft.deduplicate)
    .map(({ draft }) => [draft.row.fingerprint ?? '', draft.fingerprints] as const);
  const existing = await findDuplicates(vault, tx, drafting, new Map(sought));
  const made = new Map<string, DraftOutcome & { kind: 'new' }>();
  const outcomes: DraftOutcome[] = [];
  for (const one of wanted) {
    const { draft, view, rule } = one;
    const { fingerprint } = draft.row;
    const row = draft.deduplicate ? existing.get(fingerprint ?? '') : undefined;
    const earlier = draft.deduplicate ? made.get(fingerprint ?? '') : undefined;
    if (row !== undefined) {
      const taken = await resolveDuplicate(vault, tx, identified, drafting, row, one);
      existing.set(fingerprint ?? '', taken.row);
      outcomes.push(taken);
    } else if (earlier !== undefined) {
      outcomes.push({ ...earlier, kind: 'same' });
    } else {
      const inserted = { kind: 'new', draft, view, rule } as const;
      if (fingerprint !== null && !made.has(fingerprint)) made.set(fingerprint, inserted);
      outcomes.push(inserted);
    }
  }
  await insertNew(vault, tx, identified, outcomes);
  return outcomes;
}

/** Updates the duplicate if the tenant wants that and the caller may update it. */
async function resolveDuplicate(
  vault: VaultContext,
  tx: Queryable,
  identified: IdentifiedCall,
  drafting: DraftContext,
  row: StoredRow,
  { path, content, rule }: DraftRequest,
): Promise<DraftOutcome & { kind: 'existing' }> {
  const { call, caller } = identified;
  const target = { container: row.container, tokenId: row.id };
  const reading = decide(caller.grants, 'token:read', target);
  const view = reading.allowed ? (reading.transform ?? 'redact') : null;
  const updating = drafting.updatesDuplicates ? decide(caller.grants, 'token:update', target) : undefined;
  if (updating?.allowed !== true) return { kind: 'existing', row, view, rule, updated: false };
  const { data, metadata = row.metadata ?? undefined } = content;
  const patched = {
    content: { ...contentOf(row, 'null'), data, metadata },
    touched: new Set(['data', 'metadata'] as const),
    setsSecurityCode: true,
    deduplicateToken: undefined,
  };
  const changed = changeToken(drafting, row, patched, { path });
  const stored = await writeChange(vault, tx, changed);
  const audited = { call, caller, operation: 'update', purpose } as const;
  const { revision } = stored;
  await recordDecisions(tx, [
    auditEntry(audited, { tokenId: row.id, view: updating.transform, rule: updating.rule, revision }),
  ]);
  await vault.events.emitWithin(tx, originOf(identified), 'token.updated', () => [tokenData(stored)]);
  return { kind: 'existing', row: stored, view, rule, updated: true };
}

/** The purpose of audit entries about duplicates. */
const purpose = 'deduplicated';

async function insertNew(
  vault: VaultContext,
  tx: Queryable,
  identified: IdentifiedCall,
  outcomes: readonly DraftOutcome[],
): Promise<void> {
  const { call, caller } = identified;
  const drafts = outcomes.filter((one) => one.kind === 'new').map(({ draft }) => draft);
  const chosen = drafts.filter(({ isChosen }) => isChosen).map(({ row }) => row.id);
  if (chosen.length > 0) await expire(vault, tx, caller.tenantId, chosen);
  const stored: StoredRow[] = [];
  for (const { row } of drafts)
    stored.push(await bindRow(vault, tx, { ...row, modifiedBy: null, modifiedAt: null }));
  if (stored.length > 0) await insertRows(tx, stored);
  const revisions = new Map(stored.map((row) => [row.id, row.revision]));
  const entries = outcomes.map((one): AuditEntry => {
    const { id } = one.kind === 'existing' ? one.row : one.draft.row;
    const audited = {
      call,
      caller,
      operation: 'create',
      purpose: one.kind === 'new' ? null : purpose,
    } as const;
    const revision = one.kind === 'new' ? (revisions.get(id) ?? null) : null;
    return auditEntry(audited, { tokenId: id, view: one.view, rule: one.rule, revision });
  });
  await recordDecisions(tx, entries);
  if (drafts.length === 0) return;
  await vault.events.emitWithin(tx, originOf(identified), 'token.created', () =>
    drafts.flatMap(({ row }) => (isToken(row) ? [tokenData(row)] : [])),
  );
}

/** Removes expired tokens that occupy the ids. */
async function expire(
  { events }: VaultContext,
  tx: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  const removed = await freeExpiredIds(tx, tenantId, ids);
  if (removed.length === 0) return;
  await events.emitWithin(tx, systemOrigin(tenantId), 'token.expired', () =>
    removed.filter(isToken).map(({ id }) => ({ id })),
  );
}
