import { auditEvent } from '../../audit/audit-event.ts';
import type { FormulaRow } from '../../formulas/fields.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { type ReactorRow, reactorFields } from '../../reactors/fields.ts';
import { findReactor, lockReactor } from '../../reactors/store.ts';
import { reactorVersion, reactorVersions } from '../../reactors/versions.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import { type Definition, changedSettings, readDefinition } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeDraft } from '../versions/store-draft.ts';
import { lockCode } from './own-code.ts';
import { type SealedPatch, readSealedPatch } from './read-sealed-patch.ts';
import { readReactorChange, requireFit } from './schema.ts';
import { settableColumns } from './settable-columns.ts';

interface Draft extends Pick<SealedPatch, 'code'> {
  readonly apply: (row: ReactorRow, formula: FormulaRow) => Definition<typeof reactorFields>;
}

type Before = ReactorRow & { readonly formula: FormulaRow };

/** Keeps what an update would make of a reactor, whole or as a patch, and leaves the reactor as it is. */
export async function createReactorDraft(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres } = dependencies;
  const { principal, id } = call;
  const { tenantId } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const draft = await (call.isPatch ? readPatch : readWhole)(dependencies, call, before);
  return postgres.transaction(async (tx) => {
    const formula = await lockCode(tx, before.formula, draft.code);
    const row = await lockReactor(tx, tenantId, id);
    const present = reactorVersion(row);
    requireMatch(call.ifMatch, present);
    const code = formula.inline ? (draft.code ?? formula.code) : null;
    const definition = { ...draft.apply(row, formula), formula_id: row.formula_id, code };
    const changed = changedSettings(row.sealed_configuration, definition.sealed_configuration);
    const kind = { versions: reactorVersions, root: '/reactors', read: 'reactor:read' } as const;
    return storeDraft(tx, kind, call, {
      draft: { present, definition, changed },
      event: auditEvent(call, 'create_draft', 'reactor', id),
    });
  });
}

async function readPatch(dependencies: Dependencies, call: Call, before: Before): Promise<Draft> {
  const { code, apply } = await readSealedPatch(dependencies, call, before);
  return { code, apply: (row, formula) => readDefinition(reactorFields, apply(row, formula)) };
}

async function readWhole(dependencies: Dependencies, call: Call, before: Before): Promise<Draft> {
  const { sealer, inputLimits } = dependencies;
  const { principal, id, correlationId } = call;
  const input = await readReactorChange(dependencies, call, before.formula);
  const owner = { tenantId: principal.tenantId, recordId: id };
  const changes = { current: before.sealed_configuration, next: input.configuration };
  const sealed = await sealChanges(sealer, owner, changes, correlationId);
  return {
    code: input.code,
    apply: (row, formula) => {
      requireFit(formula, input, inputLimits);
      return readDefinition(reactorFields, { ...row, ...settableColumns(input, sealed) });
    },
  };
}
