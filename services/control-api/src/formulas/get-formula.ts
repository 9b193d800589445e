import type { Handler } from '../http/operation.ts';
import type { FormulaDependencies } from './dependencies.ts';
import { showFormula } from './formula.ts';
import { findFormula, missingFormula } from './store.ts';

export function getFormula({ postgres }: FormulaDependencies): Handler {
  return async ({ principal, id }) => {
    const row = (await findFormula(postgres, principal.tenantId, id)) ?? missingFormula();
    return { status: 200, body: showFormula(row) };
  };
}
