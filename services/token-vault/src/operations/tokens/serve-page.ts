import { type Transform, decide } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEntry } from '../../audit/audit-entry.ts';
import { requireUses } from '../../authorization/limit-uses.ts';
import { visibleFilter } from '../../authorization/visible-filter.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { readData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import { ExpressionEvaluationError } from '../../expressions/expression-error.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import { type ReadableToken, presentToken, textOfToken } from '../../presentation/present-token.ts';
import type { PageRequest } from '../../search/page-request.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import type { Selection, TokenOrder } from '../../store/list-tokens.ts';
import type { TokenFilter } from '../../store/token-filter.ts';
import { type TokenHead, type TokenRow, isExpired } from '../../store/token-row.ts';
import { selectRows } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';
import { openerOf } from '../../tokens/open-rows.ts';
import { readPage } from './read-page.ts';

export interface PageQuery {
  readonly operation: 'read' | 'search';
  readonly purpose: string | null;
  readonly purposeId?: string;
  readonly filter: TokenFilter;
  readonly order: TokenOrder;
  readonly page: PageRequest;
}

/**
 * Shows a page of the tokens that the caller may see; only these are counted. The audit rows are written before any
 * token is opened: one for each token, or one for an empty page.
 */
export async function servePage(
  vault: VaultContext,
  identified: IdentifiedCall,
  query: PageQuery,
): Promise<Extract<Outcome, { readonly $case: 'page' }>> {
  const { caller } = identified;
  const selection: Selection = {
    tenantId: caller.tenantId,
    filter: { kind: 'and', of: [query.filter, visibleFilter(caller.grants, `token:${query.operation}`)] },
    now: new Date(),
  };
  const { rows, pagination } = await readPage(vault, selection, query.order, query.page);
  await requireAuthentic(vault.keyring, rows);
  const shown = await readShown(vault, identified, query, rows, selection.now);
  const audited = {
    ...identified,
    operation: query.operation,
    purpose: query.purpose,
    purposeId: query.purposeId ?? null,
  };
  const revealed = shown.filter(({ view }) => view === 'reveal').map(({ row }) => row.id);
  await requireUses(vault, audited, revealed);
  const db = vault.postgres.forTenant(caller.tenantId);
  const entries = shown.map(({ row, view, rule }) => auditEntry(audited, { tokenId: row.id, view, rule }));
  await recordDecisions(db, entries.length > 0 ? entries : [auditEntry(audited, {})]);
  vault.events.emit(originOf(identified), 'token.read', () => shown.map(({ row }) => readData(row)));
  const tokens = await present(vault, identified, shown);
  return { $case: 'page', value: { json: pageOf(pagination, tokens) } };
}

/** Put together as bytes: a text of the whole page would be one more copy of it. */
function pageOf(pagination: object, tokens: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [Buffer.from(`{"pagination":${JSON.stringify(pagination)},"data":[`)];
  for (const token of tokens) pieces.push(...(pieces.length === 1 ? [] : [comma]), token);
  return Buffer.concat([...pieces, tail]);
}

const comma = Buffer.from(',');
const tail = Buffer.from(']}');

interface View {
  readonly view: Transform;
  /** The priority of the access rule that grants it. */
  readonly rule: number | null;
}

type Shown = View &
  ({ readonly row: TokenRow; readonly hasData: true } | { readonly row: TokenHead; readonly hasData: false });

/** Reads the data of tokens whose view shows some. Leaves out what was deleted or moved since. */
async function readShown(
  vault: VaultContext,
  { caller }: IdentifiedCall,
  { operation }: PageQuery,
  listed: readonly TokenHead[],
  now: Date,
): Promise<readonly Shown[]> {
  const viewOf = (row: TokenHead): View | undefined => {
    const target = { container: row.container, tokenId: row.id };
    const decision = decide(caller.grants, `token:${operation}`, target);
    if (!decision.allowed) return undefined;
    return { view: decision.transform ?? 'redact', rule: decision.rule };
  };
  const showsData = (row: TokenHead) => {
    const view = viewOf(row)?.view;
    return view === 'reveal' || (view === 'mask' && row.mask !== null);
  };
  const wanted = listed.filter((row) => showsData(row));
  const db = vault.postgres.forTenant(caller.tenantId);
  const read = wanted.length === 0 ? [] : await selectRows(db, wanted, vault.limits.pageBytes);
  if (read === undefined) {
    throw new AppError('too_large', 'The tokens of this page hold too much data. Request a smaller page.');
  }
  await requireAuthentic(vault.keyring, read);
  const byId = new Map(read.map((row) => [row.id, row]));
  const shown: Shown[] = [];
  for (const row of listed) {
    const whole = byId.get(row.id);
    const view = viewOf(whole ?? row);
    if (view === undefined) continue;
    if (whole !== undefined && !isExpired(whole, now.getTime()))
      shown.push({ row: whole, ...view, hasData: true });
    else if (whole === undefined && !showsData(row)) shown.push({ row, ...view, hasData: false });
  }
  return shown;
}

/**
 * Evaluating masks may take long: each token is opened and shown in a turn of its tenant. All masks of a page share one budget, and a mask that
 * does not fit into its share is not shown: its token looks redacted. The smallest data comes first, so that what small
 * tokens leave is for large ones.
 */
async function present(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  shown: readonly Shown[],
): Promise<readonly Buffer[]> {
  const texts = Array<Buffer>(shown.length);
  const work = new WorkBudget();
  const open = await openerOf(vault, [{ granted: shown.filter((one) => one.hasData) }]);
  const bySize = [...shown.entries()].toSorted(([, one], [, other]) => sizeOf(one) - sizeOf(other));
  for (const [nth, [position, { row, view, hasData }]] of bySize.entries()) {
    const show = () => {
      if (call.abandoned !== undefined) throw call.abandoned;
      const json = hasData ? open(row) : 'null';
      const token = { row, view, data: () => json };
      return work.share(shown.length - nth, (part) => presentWithin(part, token));
    };
    const text = vault.turns.run(caller.tenantId, show);
    texts[position] = text instanceof Promise ? await text : text;
  }
  return texts;
}

function sizeOf({ row, hasData }: Shown): number {
  return hasData ? row.sealedData.length : 0;
}

/** Before a mask is evaluated the data is parsed, which counts as its work. */
function presentWithin(work: WorkBudget, token: ReadableToken): Buffer {
  try {
    if (token.view === 'mask') work.spendOnParsing(token.data());
    return Buffer.from(textOfToken(presentToken(token, work)));
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
    return Buffer.from(textOfToken(presentToken({ ...token, view: 'redact' }, work)));
  }
}
