import { AppError } from '@glovebox/platform/errors/app-error';

import { deedOf, recordDeed } from '../../audit/audit-event.ts';
import { lockFormula, removeFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { countReactorsOf } from '../../reactors/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteFormula(
  { postgres }: Dependencies,
  { principal, id, correlationId }: Call,
): Promise<Reply> {
  await postgres.transaction(async (tx) => {
    await lockFormula(tx, principal.tenantId, id);
    const reactors = await countReactorsOf(tx, id);
    if (reactors > 0) {
      const users = reactors === 1 ? '1 reactor' : `${reactors} reactors`;
      throw new AppError('conflict', `The reactor formula is in use by ${users}. Delete them first.`);
    }
    await removeFormula(tx, id);
    await recordDeed(tx, deedOf({ principal, correlationId }, 'delete', 'reactor_formula', id));
  });
  return { status: 204 };
}
