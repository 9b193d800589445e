import type { Queryable } from '@glovebox/platform/db/postgres';

import { type FormulaInput, type FormulaRow, formulaFields } from '../../formulas/fields.ts';
import { replaceFormula } from '../../formulas/store.ts';
import { formulaVersions } from '../../formulas/versions.ts';
import type { Call } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import type { ChangeResult } from '../../publication/changes.ts';
import type { RecordPages } from '../../publication/record.ts';
import { republishReactors } from '../../reactors/published.ts';
import { republishRollouts } from '../../reactors/rollouts.ts';
import { isSameDefinition } from '../../versions/definition.ts';

/**
 * Stores what a write makes of a locked formula: a new version, unless nothing of it changes.
 * @throws AppError `version_conflict`
 */
export async function changeFormula(
  tx: Queryable,
  { principal, ifMatch, comment }: Pick<Call, 'principal' | 'ifMatch' | 'comment'>,
  current: FormulaRow,
  input: FormulaInput,
): Promise<ChangeResult<FormulaRow>> {
  requireMatch(ifMatch, current.version);
  const modified = { modified_by: principal.applicationId, modified_at: new Date() };
  const same: FormulaRow = { ...current, ...input, ...modified };
  if (isSameDefinition(formulaFields, current, same)) {
    await replaceFormula(tx, same);
    return { result: same, records: [] };
  }
  const next: FormulaRow = { ...same, version: await formulaVersions.next(tx, current.id, current.version) };
  await formulaVersions.keep(tx, current.id);
  await replaceFormula(tx, next);
  await formulaVersions.keep(tx, current.id, { comment });
  return { result: next, records: republished(tx, next) };
}

/** Everything of its reactors; what they are rolled out to has the same formula. */
async function* republished(tx: Queryable, formula: FormulaRow): RecordPages {
  yield* republishReactors(tx, formula);
  yield* republishRollouts(tx, formula.id);
}
