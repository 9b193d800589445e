import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import { lockFormula } from '../../formulas/store.ts';
import { formulaVersions } from '../../formulas/versions.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeDraft } from '../versions/store-draft.ts';
import { formulaCode, readFormulaInput } from './schema.ts';

/** Keeps what an update would make of a formula, and leaves the formula and its reactors as they are. */
export async function createFormulaDraft(
  { postgres, compiler, inputLimits }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id, body } = call;
  const problems = await codeProblems({ compiler, inputLimits }, call, formulaCode);
  const definition = { ...readFormulaInput(inputLimits, body, problems) };
  return postgres.transaction(async (tx) => {
    const current = await lockFormula(tx, principal.tenantId, id);
    requireMatch(call.ifMatch, current.version);
    const kind = { versions: formulaVersions, root: '/reactor-formulas', read: 'reactor:read' } as const;
    return storeDraft(tx, kind, call, {
      draft: { present: current.version, definition },
      event: auditEvent(call, 'create_draft', 'reactor_formula', id),
    });
  });
}
