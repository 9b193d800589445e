import type { Postgres, Queryable } from './postgres.ts';

/**
 * A `Postgres` whose transactions are parts (savepoints) of `tx`, one after the other: what becomes of a part that has
 * succeeded is decided with `tx` as a whole.
 *
 * @param queries where statements outside of a part run: `tx` itself, or a pool for what has to stay in any case
 */
export function heldTransaction(tx: Queryable, queries: Queryable): Postgres {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: (name, text, values) => queries.query(name, text, values),
    queryOnce: (name, text, values) => queries.queryOnce(name, text, values),
    transaction: (work) => {
      const part = last.then(() => runPart(tx, work));
      last = part.catch(() => undefined);
      return part;
    },
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
    // When this fails too, the whole transaction is lost, and its own end says so.
    await tx.query('rollback-to-savepoint', 'ROLLBACK TO SAVEPOINT part').catch(() => undefined);
    throw error;
  }
}
