import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Problems, hasProblems } from '../../http/shape.ts';
import { reactorFields } from '../../reactors/fields.ts';
import { readSettings } from '../../reactors/settings.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { ownCodeOf, reactorVersion, reactorVersions } from '../../reactors/versions.ts';
import { readDefinition } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingVersion } from '../versions/missing.ts';
import { resealSettings } from '../versions/reseal-settings.ts';
import { showRestored } from '../versions/show-restored.ts';
import { changeReactor } from './change-reactor.ts';
import { lockCode } from './own-code.ts';

/** Makes a new version that equals an earlier one. Its code was checked when it was stored; its formula stays as it is. */
export async function restoreReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, egressPolicy, inputLimits } = dependencies;
  const { principal, id, version, correlationId } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const kept =
    (await reactorVersions.find(postgres, tenantId, id, version)) ?? missingVersion(reactorVersions);
  const definition = readDefinition(reactorFields, kept.definition);
  const code = ownCodeOf(kept.definition);
  const { plain, sealed } = (await resealSettings(
    sealer,
    { tenantId, recordId: id },
    { current: before.sealed_configuration, kept: definition.sealed_configuration },
    correlationId,
  )) ?? { plain: {}, sealed: {} };
  return changes.apply(auditEvent(call, 'restore', 'reactor', id), async (tx) => {
    const formula = await lockCode(tx, before.formula, code);
    const row = await lockReactor(tx, tenantId, id);
    // The formula, and what the operator allows, may have changed.
    const problems: Problems = {};
    readHostList(definition, 'allowed_destinations', egressPolicy, problems);
    readSettings(inputLimits, plain, formula.configuration, problems);
    if (hasProblems(problems)) throw validationError(problems);
    const next = { definition: { ...definition, sealed_configuration: sealed }, code };
    const changed = await changeReactor(tx, call, { row, formula }, next);
    const restored = {
      version: reactorVersion(changed.result.row),
      readPermission: 'reactor:read',
    } as const;
    return { ...changed, result: await showRestored(tx, reactorVersions, call, restored) };
  });
}
