import { validationError } from '@glovebox/platform/errors/app-error';

import { codeProblems } from '../../code/code-problems.ts';
import type { FormulaRow } from '../../formulas/fields.ts';
import type { Call } from '../../http/call.ts';
import { addProblems, hasProblems } from '../../http/shape.ts';
import type { ReactorRow } from '../../reactors/fields.ts';
import { entriesToSeal } from '../../secrets/patch-configuration.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { lateProblems, meetingProblems, patchRow, readReactorPatch } from './patch.ts';
import { reactorCode } from './schema.ts';

export interface SealedPatch {
  /** Of a reactor with code of its own; undefined: as before. */
  readonly code: string | undefined;
  /** Both are locked. @throws AppError `invalid_argument` where the patch does not fit them */
  readonly apply: (current: ReactorRow, formula: FormulaRow) => ReactorRow;
}

/**
 * Reads a merge patch of a reactor, and seals its secrets.
 * @throws AppError `invalid_argument`
 */
export async function readSealedPatch(
  dependencies: Dependencies,
  call: Call,
  before: ReactorRow & { readonly formula: FormulaRow },
): Promise<SealedPatch> {
  const { sealer, inputLimits } = dependencies;
  const { principal, id, body, correlationId } = call;
  const { tenantId } = principal;
  const problems = await codeProblems(dependencies, call, reactorCode);
  const patch = await readReactorPatch(dependencies, tenantId, body, before.formula, problems);
  addProblems(problems, meetingProblems(before, before.formula, patch, inputLimits));
  if (hasProblems(problems)) throw validationError(problems);
  const changes = { current: before.sealed_configuration, next: entriesToSeal(patch.configuration) };
  const sealed = await sealChanges(sealer, { tenantId, recordId: id }, changes, correlationId);
  return {
    code: patch.code,
    apply: (current, formula) => {
      const late = lateProblems(current, formula, patch, inputLimits);
      if (hasProblems(late)) throw validationError(late);
      return patchRow(current, patch, sealed);
    },
  };
}
