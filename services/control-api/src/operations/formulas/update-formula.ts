import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import { showFormula } from '../../formulas/fields.ts';
import { lockFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeFormula } from './change-formula.ts';
import { formulaCode, readFormulaInput } from './schema.ts';

/** Its reactors use the new code from the answer on. */
export async function updateFormula(
  { changes, compiler, inputLimits }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id, body } = call;
  const problems = await codeProblems({ compiler, inputLimits }, call, formulaCode);
  const input = readFormulaInput(inputLimits, body, problems);
  const row = await changes.apply(auditEvent(call, 'update', 'reactor_formula', id), async (tx) => {
    const current = await lockFormula(tx, principal.tenantId, id);
    return changeFormula(tx, call, current, input);
  });
  return { status: 200, body: showFormula(row), version: row.version };
}
