import type { Queryable } from '@glovebox/platform/db/postgres';

/** The statements of a transaction that many calls share: its connection takes them one after the other. */
export function oneAtATime(tx: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(statement: () => Promise<T>): Promise<T> => {
    const result = last.then(statement);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    query: (...given) => after(() => tx.query(...given)),
    queryOnce: (...given) => after(() => tx.queryOnce(...given)),
  };
}
