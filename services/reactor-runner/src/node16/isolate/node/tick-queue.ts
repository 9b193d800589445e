export interface TickQueue {
  readonly nextTick: (callback: unknown, ...args: unknown[]) => void;
  readonly queueMicrotask: (callback: unknown) => void;
  /** Runs what waits. What a callback throws is thrown on; the rest then waits for the next call. */
  readonly drain: () => void;
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
}

/**
 * The queue of `process.nextTick`. It is drained at the end of each turn; what is added later, by a microtask, is
 * drained by a microtask.
 *
 * @param invalid throws that a callback is none.
 */
export function makeTickQueue(
  invalid: (callback: unknown) => never,
  onError: (thrown: unknown) => void,
): TickQueue {
  let queue: { readonly callback: Function; readonly args: unknown[] }[] = [];
  let next = 0;
  let isScheduled = false;
  const resolved = Promise.resolve();
  const { then } = Promise.prototype;
  const { apply } = Reflect;

  function drain(): void {
    while (next < queue.length) {
      const { callback, args } = queue[next]!;
      next += 1;
      apply(callback, undefined, args);
    }
    queue = [];
    next = 0;
  }

  function drainLater(): void {
    isScheduled = false;
    try {
      drain();
    } catch (thrown) {
      onError(thrown);
      schedule();
    }
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    void apply(then, resolved, [drainLater]);
  }

  return {
    nextTick(callback, ...args) {
      if (typeof callback !== 'function') invalid(callback);
      queue.push({ callback, args });
      schedule();
    },
    queueMicrotask(callback) {
      if (typeof callback !== 'function') invalid(callback);
      const run = () => {
        try {
          apply(callback, undefined, []);
        } catch (thrown) {
          onError(thrown);
        }
      };
      void apply(then, resolved, [run]);
    },
    drain,
    isEmpty: () => next >= queue.length,
    clear() {
      queue = [];
      next = 0;
    },
  };
}
