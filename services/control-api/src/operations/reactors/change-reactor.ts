import type { Queryable } from '@glovebox/platform/db/postgres';

import type { FormulaRow } from '../../formulas/fields.ts';
import { replaceFormula } from '../../formulas/store.ts';
import type { Call } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import type { ChangeResult } from '../../publication/changes.ts';
import type { NamedRecord } from '../../publication/record.ts';
import { type ReactorRow, reactorFields } from '../../reactors/fields.ts';
import { publishedReactor, reactorEvent } from '../../reactors/published.ts';
import { replaceReactor } from '../../reactors/store.ts';
import { publishedVersion, reactorVersion, reactorVersions } from '../../reactors/versions.ts';
import { type Definition, changedSettings, isSameDefinition } from '../../versions/definition.ts';

export interface ChangedReactor {
  readonly row: ReactorRow;
  readonly formula: FormulaRow;
}

/**
 * Stores what a write makes of a locked reactor: a new version, unless nothing of it changes.
 * @param next with the code of a reactor without a formula; undefined: it stays
 * @param number of the new version, if it is beyond that of the present one
 * @throws AppError `version_conflict`
 */
export async function changeReactor(
  tx: Queryable,
  { principal, ifMatch, comment }: Pick<Call, 'principal' | 'ifMatch' | 'comment'>,
  { row: current, formula }: ChangedReactor,
  next: { readonly definition: Definition<typeof reactorFields>; readonly code: string | undefined },
  number?: number,
): Promise<ChangeResult<ChangedReactor> & { readonly records: readonly NamedRecord[] }> {
  requireMatch(ifMatch, reactorVersion(current));
  const modified = { modified_by: principal.applicationId, modified_at: new Date() };
  const same: ReactorRow = { ...current, ...next.definition, ...modified };
  const code = next.code ?? formula.code;
  if (code === formula.code && isSameDefinition(reactorFields, current, same)) {
    await replaceReactor(tx, same);
    return { result: { row: same, formula }, records: [], events: [reactorEvent('updated', same)] };
  }
  const present = reactorVersion(current);
  const isBeyond = number !== undefined && number > Number(present);
  const version = isBeyond ? String(number) : await reactorVersions.next(tx, current.id, present);
  const row: ReactorRow = { ...same, version: publishedVersion(current, version) };
  const ownFormula = code === formula.code ? formula : { ...formula, code, ...modified };
  await reactorVersions.keep(tx, current.id);
  if (ownFormula !== formula) await replaceFormula(tx, ownFormula);
  await replaceReactor(tx, row);
  const changed = changedSettings(current.sealed_configuration, row.sealed_configuration);
  await reactorVersions.keep(tx, current.id, { comment, changed });
  return {
    result: { row, formula: ownFormula },
    records: [publishedReactor(row, ownFormula)],
    events: [reactorEvent('updated', row)],
  };
}
