import { auditEvent } from '../../audit/audit-event.ts';
import { formulaFields } from '../../formulas/fields.ts';
import { lockFormula } from '../../formulas/store.ts';
import { formulaVersions } from '../../formulas/versions.ts';
import type { Call, Reply } from '../../http/call.ts';
import { readDefinition } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingVersion } from '../versions/missing.ts';
import { showRestored } from '../versions/show-restored.ts';
import { changeFormula } from './change-formula.ts';

/** Makes a new version that equals an earlier one. Its code was checked when it was stored. */
export async function restoreFormula({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, version } = call;
  const { tenantId } = principal;
  return changes.apply(auditEvent(call, 'restore', 'reactor_formula', id), async (tx) => {
    const current = await lockFormula(tx, tenantId, id);
    const kept = (await formulaVersions.find(tx, tenantId, id, version)) ?? missingVersion(formulaVersions);
    const changed = await changeFormula(tx, call, current, readDefinition(formulaFields, kept.definition));
    const restored = { version: changed.result.version, readPermission: 'reactor:read' } as const;
    return { ...changed, result: await showRestored(tx, formulaVersions, call, restored) };
  });
}
