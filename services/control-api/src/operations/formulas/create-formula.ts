import { randomUUID } from 'node:crypto';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import { type FormulaRow, showFormula } from '../../formulas/fields.ts';
import { insertFormula } from '../../formulas/store.ts';
import { formulaVersions } from '../../formulas/versions.ts';
import type { Call, Reply } from '../../http/call.ts';
import { asMissingTenant } from '../../tenants/missing-tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { formulaCode, readFormulaInput } from './schema.ts';

/** Nothing is published: a formula is part of the records of its reactors. */
export async function createFormula(
  { postgres, compiler, inputLimits }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, body } = call;
  const problems = await codeProblems({ compiler, inputLimits }, call, formulaCode);
  const row: FormulaRow = {
    id: randomUUID(),
    tenant_id: principal.tenantId,
    ...readFormulaInput(inputLimits, body, problems),
    inline: false,
    version: '1',
    created_by: principal.applicationId,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
  await postgres
    .transaction(async (tx) => {
      await insertFormula(tx, row);
      await formulaVersions.keep(tx, row.id, { comment: call.comment });
      await recordAuditEvent(tx, auditEvent(call, 'create', 'reactor_formula', row.id));
    })
    .catch(asMissingTenant);
  return {
    status: 201,
    body: showFormula(row),
    location: `/reactor-formulas/${row.id}`,
    version: row.version,
  };
}
