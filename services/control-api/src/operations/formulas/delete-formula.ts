import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import { lockFormula, removeFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { countReactorsOf } from '../../reactors/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteFormula({ postgres }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  await postgres.transaction(async (tx) => {
    const { version } = await lockFormula(tx, principal.tenantId, id);
    const reactors = await countReactorsOf(tx, id);
    if (reactors > 0) {
      const users = reactors === 1 ? '1 reactor' : `${reactors} reactors`;
      throw new AppError('conflict', `The reactor formula is in use by ${users}. Delete them first.`);
    }
    requireMatch(call.ifMatch, version);
    await removeFormula(tx, id);
    await recordAuditEvent(tx, auditEvent(call, 'delete', 'reactor_formula', id));
  });
  return { status: 204 };
}
