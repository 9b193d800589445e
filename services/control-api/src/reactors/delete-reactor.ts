import { lockOwnFormula, removeFormula } from '../formulas/store.ts';
import type { Handler } from '../http/operation.ts';
import { deedOf } from '../logs/deed.ts';
import type { ReactorDependencies } from './dependencies.ts';
import { reactorTombstone } from './published.ts';
import { findReactor, lockReactor, removeReactor } from './store.ts';
import { reactorTelling } from './telling.ts';

export function deleteReactor({ changes }: ReactorDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    const { tenantId } = principal;
    await changes.apply(deedOf({ principal, correlationId }, 'delete', 'reactor', id), async (tx) => {
      const { formula } = await findReactor(tx, tenantId, id);
      // In the order of every lock.
      if (formula.inline) await lockOwnFormula(tx, tenantId, formula.id);
      const row = await lockReactor(tx, tenantId, id);
      await removeReactor(tx, id);
      if (formula.inline) await removeFormula(tx, formula.id);
      return { result: undefined, records: [reactorTombstone(row)], tell: [reactorTelling('deleted', row)] };
    });
    return { status: 204 };
  };
}
