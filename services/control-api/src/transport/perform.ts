import type { Call, Reply } from '../http/call.ts';
import type { Held, PerformOnce } from './idempotency.ts';
import type { MountOptions } from './mount.ts';
import type { Operation } from './operation.ts';

/**
 * Runs operations: those with an idempotency key from a table that is made over their own transaction.
 * @param operationsOver the table of all operations, over other stores than usual
 */
export function performer(
  performOnce: PerformOnce,
  operationsOver: (held: Held) => readonly Operation[],
): MountOptions['perform'] {
  return async (operation, call, key, path) => {
    if (key === undefined) return { reply: await replyOf(operation, call), replayed: false };
    const { method } = operation;
    return performOnce({ key, method, path, call }, (held) => {
      const same = operationsOver(held).find((one) => one.method === method && one.path === operation.path);
      // Its own handler would do it outside of the transaction: it would be done even if nothing is recorded of it.
      if (same === undefined) throw new Error(`no ${method} ${operation.path} over the transaction of a key`);
      return replyOf(same, call);
    });
  };
}

/** With the warnings, so that an answer that is given again has them too. */
async function replyOf({ handler }: Operation, call: Call): Promise<Reply> {
  const reply = await handler(call);
  const { texts } = call.warnings;
  return texts.length === 0 ? reply : { ...reply, warnings: texts };
}
