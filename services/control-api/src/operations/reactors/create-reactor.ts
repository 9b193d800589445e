import { randomUUID } from 'node:crypto';

import { auditEvent } from '../../audit/audit-event.ts';
import { insertFormula, shareFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type ReactorRow, showReactor } from '../../reactors/fields.ts';
import { reactorEvent } from '../../reactors/published.ts';
import { publishedReactor } from '../../reactors/published.ts';
import { sealConfiguration } from '../../reactors/secrets.ts';
import { insertReactor } from '../../reactors/store.ts';
import { reactorVersions } from '../../reactors/versions.ts';
import { holdTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { ownFormula } from './own-code.ts';
import { readNewReactor, requireFit } from './schema.ts';

export async function createReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { changes, sealer, inputLimits } = dependencies;
  const { principal, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const { formula: read, input } = await readNewReactor(dependencies, call);
  const { name, columns, configuration, application, code = '' } = input;
  const id = randomUUID();
  const sealed = await sealConfiguration(sealer, { tenantId, recordId: id }, configuration, correlationId);
  const source = read ?? ownFormula(code, { tenantId, name, createdBy: actor });
  const row: ReactorRow = {
    id,
    tenant_id: tenantId,
    formula_id: source.id,
    name,
    sealed_configuration: sealed,
    allowed_destinations: input.allowedDestinations,
    application_id: application?.id ?? null,
    ...columns,
    version: '1',
    formula_changes: '0',
    created_by: actor,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
  const formula = await changes.apply(auditEvent(call, 'create', 'reactor', id), async (tx) => {
    await holdTenant(tx, tenantId);
    if (source.inline) await insertFormula(tx, source);
    const current = await shareFormula(tx, tenantId, source.id);
    requireFit(current, input, inputLimits);
    await insertReactor(tx, row);
    await reactorVersions.keep(tx, id, { comment: call.comment });
    return {
      result: current,
      records: [publishedReactor(row, current)],
      events: [reactorEvent('created', row)],
    };
  });
  const shown = showReactor({ ...row, formula, application }, configuration);
  return { status: 201, body: shown, location: `/reactors/${id}`, version: row.version };
}
