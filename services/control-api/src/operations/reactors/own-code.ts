import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import type { FormulaRow } from '../../formulas/fields.ts';
import { lockOwnFormula, shareFormula } from '../../formulas/store.ts';
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
    version: '1',
    created_by: reactor.createdBy,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
}

/**
 * Holds the formula of a reactor, as every change of a reactor does before it holds the reactor.
 * @param code of its own that it is to get; undefined: the formula stays as it is
 */
export async function lockCode(
  tx: Queryable,
  { id, tenant_id }: FormulaRow,
  code: string | undefined,
): Promise<FormulaRow> {
  const formula =
    code === undefined ? await shareFormula(tx, tenant_id, id) : await lockOwnFormula(tx, tenant_id, id);
  return formula ?? missingReactor();
}
