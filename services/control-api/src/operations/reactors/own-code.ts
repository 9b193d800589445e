import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import type { FormulaRow } from '../../formulas/fields.ts';
import { lockOwnFormula, replaceFormula } from '../../formulas/store.ts';
import { missingReactor } from '../../reactors/store.ts';

/**
 * Code of a reactor's own is kept as a formula of which nobody else knows: so the data plane knows reactors of one
 * kind only. It declares nothing: whatever arguments and configuration there are reach the code.
 */
export function ownFormula(
  code: string,
  reactor: { readonly tenantId: string; readonly name: string; readonly createdBy: string },
): FormulaRow {
  return {
    id: randomUUID(),
    tenant_id: reactor.tenantId,
    name: reactor.name,
    description: null,
    icon: null,
    code,
    configuration: [],
    request_parameters: [],
    inline: true,
    created_by: reactor.createdBy,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
}

/** Holds the formula, as every change of its reactor does before it holds the reactor. */
export async function replaceOwnCode(
  tx: Queryable,
  { id, tenant_id }: FormulaRow,
  code: string,
  modifiedBy: string,
): Promise<FormulaRow> {
  const current = (await lockOwnFormula(tx, tenant_id, id)) ?? missingReactor();
  const next = { ...current, code, modified_by: modifiedBy, modified_at: new Date() };
  await replaceFormula(tx, next);
  return next;
}
