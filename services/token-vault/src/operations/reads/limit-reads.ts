import type { ReadDecision } from '../../authorization/decide-read.ts';
import { type UseRefusal, limitUses } from '../../authorization/limit-uses.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import type { Read } from './read-tokens.ts';

/** What was asked for each read, and the outcome. */
export type TakenUses = Map<Read, { readonly ids: string; readonly refused: UseRefusal | undefined }>;

/**
 * Refuses reads that would give out more values than their callers may use (contract/tenants.md#use-limits).
 * @param taken of an earlier decision on the same reads: the same tokens are not counted twice
 */
export async function limitReads(
  vault: VaultContext,
  decisions: readonly ReadDecision<Read>[],
  taken: TakenUses,
): Promise<readonly ReadDecision<Read>[]> {
  const asked = decisions
    .map((decision) => ({ identified: decision.read, tokenIds: revealedBy(decision) }))
    .filter(({ identified, tokenIds }) => taken.get(identified)?.ids !== tokenIds.join());
  const refusals = await limitUses(vault, asked);
  for (const [index, { identified, tokenIds }] of asked.entries()) {
    taken.set(identified, { ids: tokenIds.join(), refused: refusals[index] });
  }
  return decisions.map((decision) => refused(decision, taken.get(decision.read)?.refused));
}

function revealedBy({ granted }: ReadDecision<Read>): readonly string[] {
  return granted.filter(({ view }) => view === 'reveal').map(({ row }) => row.id);
}

function refused(decision: ReadDecision<Read>, because: UseRefusal | undefined): ReadDecision<Read> {
  if (because === undefined) return decision;
  const { refusal, reason } = because;
  const entries = decision.entries.map((entry) =>
    entry.tokenId === null ? entry : { ...entry, outcome: 'denied' as const, reason, view: null },
  );
  return { read: decision.read, refusal, granted: [], entries };
}
