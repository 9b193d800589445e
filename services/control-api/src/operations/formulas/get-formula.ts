import { showFormula } from '../../formulas/fields.ts';
import { findFormula, missingFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getFormula({ postgres }: Dependencies, { principal, id }: Call): Promise<Reply> {
  const row = (await findFormula(postgres, principal.tenantId, id)) ?? missingFormula();
  return { status: 200, body: showFormula(row), version: row.version };
}
