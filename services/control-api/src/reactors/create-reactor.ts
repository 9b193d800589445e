import { randomUUID } from 'node:crypto';

import { shareFormula } from '../formulas/store.ts';
import type { Handler } from '../http/operation.ts';
import { holdTenant } from '../tenants/store.ts';
import type { ReactorDependencies } from './dependencies.ts';
import { publishedReactor } from './published.ts';
import { type ReactorRow, showReactor } from './reactor.ts';
import { readNewReactor, requireFit } from './schema.ts';
import { sealConfiguration } from './secrets.ts';
import { insertReactor } from './store.ts';

export function createReactor({ postgres, changes, sealer }: ReactorDependencies): Handler {
  return async ({ principal, body, correlationId }) => {
    const { tenantId, applicationId: actor } = principal;
    const { formula: read, input } = await readNewReactor(postgres, tenantId, body);
    const { name, configuration, application } = input;
    const id = randomUUID();
    const sealed = await sealConfiguration(sealer, { tenantId, recordId: id }, configuration, correlationId);
    const row: ReactorRow = {
      id,
      tenant_id: tenantId,
      formula_id: read.id,
      name,
      sealed_configuration: sealed,
      application_id: application?.id ?? null,
      version: '1',
      created_by: actor,
      created_at: new Date(),
      modified_by: null,
      modified_at: null,
    };
    const formula = await changes.apply(async (tx) => {
      await holdTenant(tx, tenantId);
      const current = await shareFormula(tx, tenantId, read.id);
      requireFit(current, input);
      await insertReactor(tx, row);
      return { result: current, records: [publishedReactor(row, current)] };
    });
    const shown = showReactor({ ...row, formula, application }, configuration);
    return { status: 201, body: shown, location: `/reactors/${id}` };
  };
}
