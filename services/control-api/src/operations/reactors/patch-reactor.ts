import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { reactorVersion } from '../../reactors/versions.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeReactor } from './change-reactor.ts';
import { lockCode } from './own-code.ts';
import { readSealedPatch } from './read-sealed-patch.ts';

/** Applies a merge patch (RFC 7396). It is merged after the row is locked, so concurrent changes are not lost. */
export async function patchReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes } = dependencies;
  const { principal, id } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const patch = await readSealedPatch(dependencies, call, before);
  const changed = await changes.apply(auditEvent(call, 'update', 'reactor', id), async (tx) => {
    const formula = await lockCode(tx, before.formula, patch.code);
    const row = await lockReactor(tx, tenantId, id);
    const next = { definition: patch.apply(row, formula), code: patch.code };
    return changeReactor(tx, call, { row, formula }, next);
  });
  return { status: 204, version: reactorVersion(changed.row) };
}
