export interface Timers {
  /** Runs the callbacks whose time has come; what one throws goes to `onError`. */
  readonly runDue: (onError: (thrown: unknown) => void) => void;
  /** Nothing that was set before fires any more. */
  readonly clear: () => void;
}

/**
 * Makes `setTimeout` and `clearTimeout`, all of them on one timer of the worker's.
 *
 * @param arm asks for a call of `runDue` after that many milliseconds, instead of the one asked for before.
 */
export function makeTimers(arm: (delayMs: number) => void): Timers {
  const { now } = Date;
  const { apply, defineProperty } = Reflect;
  const longestDelayMs = 2_147_483_647;
  let pending = new Map<number, { readonly due: number; readonly run: () => void }>();
  let lastId = 0;

  function armForNext(): void {
    let due = Infinity;
    for (const timer of pending.values()) if (timer.due < due) due = timer.due;
    if (due < Infinity) arm(Math.max(0, due - now()));
  }

  function setTimeout(callback: unknown, delayMs: unknown, ...args: unknown[]): number {
    if (typeof callback !== 'function')
      throw new TypeError('The "callback" argument must be of type function.');
    const wanted = Math.trunc(Number(delayMs));
    const delay = wanted >= 1 && wanted <= longestDelayMs ? wanted : 1;
    lastId += 1;
    pending.set(lastId, { due: now() + delay, run: () => apply(callback, undefined, args) as void });
    armForNext();
    return lastId;
  }

  function clearTimeout(id: unknown): void {
    pending.delete(Number(id));
  }

  for (const value of [setTimeout, clearTimeout]) {
    defineProperty(globalThis, value.name, { value, writable: true, configurable: true, enumerable: false });
  }
  return {
    runDue(onError) {
      const due = [...pending].filter(([, { due }]) => due <= now()).sort(([, a], [, b]) => a.due - b.due);
      for (const [id, { run }] of due) {
        if (!pending.delete(id)) continue;
        try {
          run();
        } catch (thrown) {
          onError(thrown);
        }
      }
      armForNext();
    },
    clear() {
      pending = new Map();
    },
  };
}
