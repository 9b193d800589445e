import type { Queryable } from '@glovebox/platform/db/postgres';
import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import { declaredBy } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Problems, hasProblems } from '../../http/shape.ts';
import { reactorFields } from '../../reactors/fields.ts';
import { readSettings, requireDeclared } from '../../reactors/settings.ts';
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
  const restore = await prepareReactorRestore(dependencies, call, 'new number');
  return dependencies.changes.apply(auditEvent(call, 'restore', 'reactor', call.id), async (tx) => {
    const changed = await restore(tx);
    const restored = { version: changed.result.version, readPermission: 'reactor:read' } as const;
    return { ...changed, result: await showRestored(tx, reactorVersions, call, restored) };
  });
}

/**
 * Does all of a restore that needs no transaction.
 * @param number `keep number`: a version beyond the present one becomes the present one under its own number
 * @throws AppError `not_found`
 */
export async function prepareReactorRestore(
  dependencies: Dependencies,
  call: Call,
  number: 'new number' | 'keep number',
) {
  const { postgres, sealer, egressPolicy, inputLimits } = dependencies;
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
  return async (tx: Queryable) => {
    const formula = await lockCode(tx, before.formula, code);
    const row = await lockReactor(tx, tenantId, id);
    // The formula, and what the operator allows, may have changed.
    const problems: Problems = {};
    readHostList(definition, 'allowed_destinations', egressPolicy, problems);
    readSettings(inputLimits, plain, formula.configuration, problems);
    if (hasProblems(problems)) throw validationError(problems);
    const next = { definition: { ...definition, sealed_configuration: sealed }, code };
    const isKept = number === 'keep number';
    const comment = isKept ? (call.comment ?? kept.comment ?? undefined) : call.comment;
    const own = { ...call, comment };
    const changed = await changeReactor(tx, own, { row, formula }, next, isKept ? version : undefined);
    return { ...changed, result: { version: reactorVersion(changed.result.row) } };
  };
}

/** The operator or the formula may have changed. @throws AppError `invalid_argument` */
export async function requireUsableReactor(
  { egressPolicy }: Pick<Dependencies, 'egressPolicy'>,
  stored: Readonly<Record<string, unknown>>,
  tx: Queryable,
): Promise<void> {
  const definition = readDefinition(reactorFields, stored);
  const problems: Problems = {};
  readHostList(definition, 'allowed_destinations', egressPolicy, problems);
  const declared = await declaredBy(tx, String(stored['formula_id']));
  requireDeclared(new Set(Object.keys(definition.sealed_configuration ?? {})), declared, problems);
  if (hasProblems(problems)) throw validationError(problems);
}
