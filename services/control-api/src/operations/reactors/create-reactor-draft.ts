import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { reactorVersion, reactorVersions } from '../../reactors/versions.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import { changedSettings } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeDraft } from '../versions/store-draft.ts';
import { lockCode } from './own-code.ts';
import { readReactorChange, requireFit } from './schema.ts';
import { settableColumns } from './settable-columns.ts';

/** Keeps what an update would make of a reactor, and leaves the reactor as it is. */
export async function createReactorDraft(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, sealer, inputLimits } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const input = await readReactorChange(dependencies, call, before.formula);
  const owner = { tenantId, recordId: id };
  const changes = { current: before.sealed_configuration, next: input.configuration };
  const sealed = await sealChanges(sealer, owner, changes, correlationId);
  return postgres.transaction(async (tx) => {
    const formula = await lockCode(tx, before.formula, input.code);
    const row = await lockReactor(tx, tenantId, id);
    const present = reactorVersion(row);
    requireMatch(call.ifMatch, present);
    requireFit(formula, input, inputLimits);
    const code = formula.inline ? (input.code ?? formula.code) : null;
    const definition = { ...settableColumns(input, sealed), formula_id: row.formula_id, code };
    const changed = changedSettings(row.sealed_configuration, sealed);
    const kind = { versions: reactorVersions, root: '/reactors', read: 'reactor:read' } as const;
    return storeDraft(tx, kind, call, {
      draft: { present, definition, changed },
      event: auditEvent(call, 'create_draft', 'reactor', id),
    });
  });
}
