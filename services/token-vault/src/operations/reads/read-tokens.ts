import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { PerformRound } from '@glovebox/platform/values/joint-rounds';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

import { type ReadDecision, type WantedRead, decideRead } from '../../authorization/decide-read.ts';
import { hasLimits } from '../../authorization/limit-uses.ts';
import { type OpenCall, type Outcome, withContext } from '../../calls/open-call.ts';
import { recordViolation } from '../../context/record-violation.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import { isToken, readData } from '../../events/event-data.ts';
import { originOf } from '../../events/vault-events.ts';
import type { ReadableToken } from '../../presentation/present-token.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { nameOf } from '../../store/row-cache.ts';
import type { TokenRow } from '../../store/token-row.ts';
import { loadRows } from '../../tokens/load-rows.ts';
import { openerOf } from '../../tokens/open-rows.ts';
import { type TakenUses, limitReads } from './limit-reads.ts';

/** One call's read of named tokens. */
export interface Read extends WantedRead {
  readonly kind: 'read';
  readonly call: OpenCall;
  /** Makes the call's outcome. It is called once every token exists and is granted; `token` finds one by its id. */
  toOutcome(token: (id: string) => ReadableToken): MaybePromise<Outcome>;
}

/**
 * Serves the reads of a frame together, and small ones with those of other frames: one query for rows that are not cached and one statement that records every
 * decision. Only then is any row opened.
 */
export async function readTokens(vault: VaultContext, reads: readonly Read[]): Promise<void> {
  const wanted = reads.filter(isWanted);
  if (wanted.length === 0) return;
  // Reads of callers with limits wait for Redis, and no other read does. Large ones take long to record.
  const { limited = [], large = [], small = [] } = Object.groupBy(wanted, kindOf);
  await Promise.all([
    readGroup(vault, limited),
    readGroup(vault, large),
    small.length > 0 && vault.smallReads.run(small, serveRound(vault)),
  ]);
}

function kindOf(read: Read): 'limited' | 'large' | 'small' {
  if (hasLimits(read)) return 'limited';
  return read.tokenIds.length > smallRead ? 'large' : 'small';
}

/** Callers may have gone while their reads waited for this round. */
function serveRound(vault: VaultContext): PerformRound<Read> {
  return (reads, free) => readGroup(vault, reads.filter(isWanted), free);
}

/** The most tokens of a read that is served together with those of other frames. */
const smallRead = 8;

/** @param recorded called once every decision is recorded */
async function readGroup(vault: VaultContext, reads: readonly Read[], recorded?: () => void): Promise<void> {
  if (reads.length === 0) return;
  const traced = reads.find(({ call }) => call.context !== undefined);
  try {
    await withContext(traced?.call.context, () => serveTogether(vault, reads, recorded));
  } catch (error) {
    const failure = toAppError(error);
    for (const { call } of reads) call.fail(failure);
  }
}

function isWanted({ call }: Read): boolean {
  const reason = call.abandoned;
  if (reason !== undefined) call.fail(reason);
  return reason === undefined;
}

async function serveTogether(
  vault: VaultContext,
  reads: readonly Read[],
  recorded?: () => void,
): Promise<void> {
  const decisions = await decideAndRecord(vault, reads).finally(recorded);
  if (decisions !== undefined) {
    const open = await openerOf(vault, decisions);
    await answerReads(vault, decisions, open);
  } else if (reads.length > 1) {
    for (const read of reads) await readGroup(vault, [read]);
  } else {
    throw new AppError('too_large', 'The tokens of this request hold too much data.');
  }
}

/**
 * Recording detects cached rows that have changed: then everything is decided again on fresh rows.
 * @returns undefined when there is too much to read at once
 */
async function decideAndRecord(
  vault: VaultContext,
  reads: readonly Read[],
): Promise<readonly ReadDecision<Read>[] | undefined> {
  const db = vault.postgres.forTenants([...new Set(reads.map(({ caller }) => caller.tenantId))]);
  const taken: TakenUses = new Map();
  for (const source of ['cache', 'database'] as const) {
    const rows = await loadRows(vault, db, reads, source);
    if (rows === undefined) return undefined;
    const now = Date.now();
    const decided = reads.map((read) => decideRead(read, rows, now));
    const decisions = reads.some(hasLimits) ? await limitReads(vault, decided, taken) : decided;
    const stop = vault.metrics.auditSeconds.startTimer();
    const outdated = await recordDecisions(
      db,
      decisions.flatMap(({ entries }) => entries),
    );
    stop();
    if (outdated.length === 0) {
      for (const decision of decisions) emitReads(vault, decision);
      return decisions;
    }
  }
  throw new Error('rows that were just read cannot be out of date');
}

/** Uses have no event of their own. */
function emitReads({ events }: VaultContext, { read, granted }: ReadDecision<Read>): void {
  if (read.operation !== 'read' || granted.length === 0) return;
  events.emit(originOf(read), 'token.read', () =>
    granted
      .map(({ row }) => row)
      .filter(isToken)
      .map(readData),
  );
}

/** Evaluation may take long, so each answer is made in a turn of its tenant and delays no other tenant. */
async function answerReads(
  vault: VaultContext,
  decisions: readonly ReadDecision<Read>[],
  open: (row: TokenRow) => string,
): Promise<void> {
  const later: Promise<unknown>[] = [];
  for (const decision of decisions) {
    const answered = vault.turns.run(decision.read.caller.tenantId, () => answer(vault, decision, open));
    if (answered !== undefined) later.push(answered);
  }
  await Promise.all(later);
}

/** @returns undefined when it was answered synchronously; otherwise never rejects */
function answer(
  vault: VaultContext,
  { read, refusal, granted }: ReadDecision<Read>,
  open: (row: TokenRow) => string,
): Promise<void> | undefined {
  const { call } = read;
  try {
    if (call.abandoned !== undefined) throw call.abandoned;
    if (refusal !== undefined) throw refusal;
    const outcome = read.toOutcome(finderOf(granted, open));
    if (outcome instanceof Promise) {
      return outcome.then(
        (value) => call.succeed(value),
        (error: unknown) => fail(vault, read, error),
      );
    }
    call.succeed(outcome);
  } catch (error) {
    return fail(vault, read, error);
  }
  return undefined;
}

/** A row whose data did not open leaves the cache: it may be repaired without a new revision. */
function fail(vault: VaultContext, read: Read, error: unknown): Promise<void> | undefined {
  const { call, operation } = read;
  if (!(error instanceof IntegrityViolation)) {
    call.fail(error);
    return undefined;
  }
  const { tokenId } = error;
  if (tokenId !== null) vault.rows.delete(nameOf({ tenantId: read.caller.tenantId, id: tokenId }));
  return recordViolation(vault, read, error, operation).then(() => call.fail(error));
}

function finderOf(granted: ReadDecision<Read>['granted'], open: (row: TokenRow) => string) {
  const tokens = new Map<string, ReadableToken>();
  for (const { row, view } of granted) tokens.set(row.id, { row, view, data: () => open(row) });
  return (id: string): ReadableToken => {
    const token = tokens.get(id);
    if (token === undefined) throw new Error('a token was not requested');
    return token;
  };
}
