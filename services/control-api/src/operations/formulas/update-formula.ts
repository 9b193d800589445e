import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import { type FormulaRow, showFormula } from '../../formulas/fields.ts';
import { lockFormula, replaceFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { republishReactors } from '../../reactors/published.ts';
import type { Dependencies } from '../dependencies.ts';
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
    const next: FormulaRow = {
      ...current,
      ...input,
      modified_by: principal.applicationId,
      modified_at: new Date(),
    };
    await replaceFormula(tx, next);
    return { result: next, records: republishReactors(tx, next) };
  });
  return { status: 200, body: showFormula(row) };
}
