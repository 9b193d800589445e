import type { Handler } from '../http/operation.ts';
import type { ReactorDependencies } from './dependencies.ts';
import { reactorTombstone } from './published.ts';
import { lockReactor, removeReactor } from './store.ts';

export function deleteReactor({ changes }: ReactorDependencies): Handler {
  return async ({ principal, id }) => {
    await changes.apply(async (tx) => {
      const row = await lockReactor(tx, principal.tenantId, id);
      await removeReactor(tx, id);
      return { result: undefined, records: [reactorTombstone(row)] };
    });
    return { status: 204 };
  };
}
