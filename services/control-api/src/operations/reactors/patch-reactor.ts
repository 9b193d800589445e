import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import type { Call, Reply } from '../../http/call.ts';
import { addProblems, hasProblems } from '../../http/shape.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { reactorVersion } from '../../reactors/versions.ts';
import { entriesToSeal } from '../../secrets/patch-configuration.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeReactor } from './change-reactor.ts';
import { lockCode } from './own-code.ts';
import { lateProblems, meetingProblems, patchRow, readReactorPatch } from './patch.ts';
import { reactorCode } from './schema.ts';

/** Applies a merge patch (RFC 7396). It is merged after the row is locked, so concurrent changes are not lost. */
export async function patchReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, inputLimits } = dependencies;
  const { principal, id, body, correlationId } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const problems = await codeProblems(dependencies, call, reactorCode);
  const patch = await readReactorPatch(dependencies, tenantId, body, before.formula, problems);
  addProblems(problems, meetingProblems(before, before.formula, patch, inputLimits));
  if (hasProblems(problems)) throw validationError(problems);
  const owner = { tenantId, recordId: id };
  const set = entriesToSeal(patch.configuration);
  const sealed = await sealChanges(
    sealer,
    owner,
    { current: before.sealed_configuration, next: set },
    correlationId,
  );
  const changed = await changes.apply(auditEvent(call, 'update', 'reactor', id), async (tx) => {
    const formula = await lockCode(tx, before.formula, patch.code);
    const current = await lockReactor(tx, tenantId, id);
    const late = lateProblems(current, formula, patch, inputLimits);
    if (hasProblems(late)) throw validationError(late);
    const next = { definition: patchRow(current, patch, sealed), code: patch.code };
    return changeReactor(tx, call, { row: current, formula }, next);
  });
  return { status: 204, version: reactorVersion(changed.row) };
}
