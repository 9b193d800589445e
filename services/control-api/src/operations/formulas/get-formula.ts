import { showFormula } from '../../formulas/formula.ts';
import { findFormula, missingFormula } from '../../formulas/store.ts';
import type { Handler } from '../../http/call.ts';
import type { FormulaDependencies } from './dependencies.ts';

export function getFormula({ postgres }: FormulaDependencies): Handler {
  return async ({ principal, id }) => {
    const row = (await findFormula(postgres, principal.tenantId, id)) ?? missingFormula();
    return { status: 200, body: showFormula(row) };
  };
}
