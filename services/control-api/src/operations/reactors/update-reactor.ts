import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showReactor } from '../../reactors/fields.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { reactorVersion } from '../../reactors/versions.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeReactor } from './change-reactor.ts';
import { lockCode } from './own-code.ts';
import { readReactorChange, requireFit } from './schema.ts';
import { settableColumns } from './settable-columns.ts';

/** Replaces everything except the formula: fields that the body omits get their defaults. */
export async function updateReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, inputLimits } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const input = await readReactorChange(dependencies, call, before.formula);
  const { configuration, application, code } = input;
  const sealed = await sealChanges(
    sealer,
    { tenantId, recordId: id },
    { current: before.sealed_configuration, next: configuration },
    correlationId,
  );
  const changed = await changes.apply(auditEvent(call, 'update', 'reactor', id), async (tx) => {
    const formula = await lockCode(tx, before.formula, code);
    const row = await lockReactor(tx, tenantId, id);
    requireFit(formula, input, inputLimits);
    const definition = settableColumns(input, sealed);
    return changeReactor(tx, call, { row, formula }, { definition, code });
  });
  const body = showReactor({ ...changed.row, formula: changed.formula, application }, configuration);
  return { status: 200, body, version: reactorVersion(changed.row) };
}
