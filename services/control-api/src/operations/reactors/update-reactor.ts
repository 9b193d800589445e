import { auditEvent } from '../../audit/audit-event.ts';
import { shareFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type WholeReactor, showReactor } from '../../reactors/fields.ts';
import { reactorEvent } from '../../reactors/published.ts';
import { publishedReactor } from '../../reactors/published.ts';
import { sealConfiguration } from '../../reactors/secrets.ts';
import { findReactor, lockReactor, replaceReactor } from '../../reactors/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { replaceOwnCode } from './own-code.ts';
import { readReactorChange, requireFit } from './schema.ts';

/** Replaces everything except the formula: fields that the body omits get their defaults. */
export async function updateReactor(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, inputLimits } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const before = await findReactor(postgres, tenantId, id);
  const input = await readReactorChange(dependencies, call, before.formula);
  const { name, columns, configuration, application, code } = input;
  const sealed = await sealConfiguration(sealer, { tenantId, recordId: id }, configuration, correlationId);
  const reactor = await changes.apply(auditEvent(call, 'update', 'reactor', id), async (tx) => {
    const formula =
      code === undefined
        ? await shareFormula(tx, tenantId, before.formula_id)
        : await replaceOwnCode(tx, before.formula, code, actor);
    const current = await lockReactor(tx, tenantId, id);
    requireFit(formula, input, inputLimits);
    const next: WholeReactor = {
      ...current,
      formula,
      application,
      name,
      sealed_configuration: sealed,
      allowed_destinations: input.allowedDestinations,
      application_id: application?.id ?? null,
      ...columns,
      version: String(BigInt(current.version) + 1n),
      modified_by: actor,
      modified_at: new Date(),
    };
    await replaceReactor(tx, next);
    return {
      result: next,
      records: [publishedReactor(next, formula)],
      events: [reactorEvent('updated', next)],
    };
  });
  return { status: 200, body: showReactor(reactor, configuration) };
}
