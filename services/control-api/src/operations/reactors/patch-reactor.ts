import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import { shareFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { addProblems, hasProblems } from '../../http/shape.ts';
import type { ReactorRow } from '../../reactors/fields.ts';
import { reactorEvent } from '../../reactors/published.ts';
import { publishedReactor } from '../../reactors/published.ts';
import { sealConfiguration } from '../../reactors/secrets.ts';
import { findReactor, lockReactor, missingReactor, replaceReactor } from '../../reactors/store.ts';
import { entriesToSeal } from '../../secrets/patch-configuration.ts';
import type { Dependencies } from '../dependencies.ts';
import { replaceOwnCode } from './own-code.ts';
import { lateProblems, meetingProblems, patchRow, readReactorPatch } from './patch.ts';
import { reactorCode } from './schema.ts';

/** Applies a merge patch (RFC 7396). It is merged after the row is locked, so concurrent changes are not lost. */
export async function patchReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, inputLimits } = dependencies;
  const { principal, id, body, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const problems = await codeProblems(dependencies, call, reactorCode);
  const patch = await readReactorPatch(dependencies, tenantId, body, before.formula, problems);
  addProblems(problems, meetingProblems(before, before.formula, patch, inputLimits));
  if (hasProblems(problems)) throw validationError(problems);
  const owner = { tenantId, recordId: id };
  const set = entriesToSeal(patch.configuration);
  const sealed = await sealConfiguration(sealer, owner, set, correlationId);
  await changes.apply(auditEvent(call, 'update', 'reactor', id), async (tx) => {
    const formula =
      patch.code === undefined
        ? ((await shareFormula(tx, tenantId, before.formula_id)) ?? missingReactor())
        : await replaceOwnCode(tx, before.formula, patch.code, actor);
    const current = await lockReactor(tx, tenantId, id);
    const late = lateProblems(current, formula, patch, inputLimits);
    if (hasProblems(late)) throw validationError(late);
    const next: ReactorRow = {
      ...patchRow(current, patch, sealed),
      version: String(BigInt(current.version) + 1n),
      modified_by: actor,
      modified_at: new Date(),
    };
    await replaceReactor(tx, next);
    return {
      result: undefined,
      records: [publishedReactor(next, formula)],
      events: [reactorEvent('updated', next)],
    };
  });
  return { status: 204 };
}
