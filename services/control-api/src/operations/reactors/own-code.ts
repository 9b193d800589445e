import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import type { FormulaRow } from '../../formulas/fields.ts';
import { lockOwnFormula, replaceFormula } from '../../formulas/store.ts';
import { missingReactor } from '../../reactors/store.ts';

/**
 * A reactor's own code is stored as a formula that the API does not list, so the data plane has one kind of reactors.
 * It declares nothing: all arguments and configuration reach the code.
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
