import type { Postgres, Queryable, Transacting } from './postgres.ts';

/**
 * A `Postgres` whose transactions are savepoints of `tx`, one after the other. `tx` as a whole decides whether they
 * last. Everything runs within the scope of `tx`: another one cannot be had, so what is beyond it seems empty.
 * @param queries runs statements outside of a transaction: `tx` itself, or a pool for writes that must last in any
 * case
 */
export function heldTransaction(tx: Queryable, queries: Queryable): Postgres {
  let last: Promise<unknown> = Promise.resolve();
  const held: Transacting = {
    query: (name, text, values, plan) => queries.query(name, text, values, plan),
    queryOnce: (name, text, values) => queries.queryOnce(name, text, values),
    transaction: (work) => {
      const part = last.then(() => runPart(tx, work));
      last = part.catch(() => undefined);
      return part;
    },
  };
  return {
    ...held,
    withoutTenant: held,
    forTenant: () => held,
    forTenants: () => held,
    acrossTenants: () => held,
    ping: async () => {
      await tx.query('ping', 'SELECT 1');
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function runPart<T>(tx: Queryable, work: (tx: Queryable) => Promise<T>): Promise<T> {
  await tx.query('savepoint', 'SAVEPOINT part');
  try {
    const result = await work(tx);
    await tx.query('release-savepoint', 'RELEASE SAVEPOINT part');
    return result;
  } catch (error) {
    // If this fails too, the whole transaction is lost, and its own end reports that.
    await tx.query('rollback-to-savepoint', 'ROLLBACK TO SAVEPOINT part').catch(() => undefined);
    throw error;
  }
}
