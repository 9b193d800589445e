import { type CallHost, hostError } from '../bridge.ts';
import type { JobResults } from '../host-results.ts';

type OnDone = (error: Error | undefined, value?: unknown) => void;

interface Start {
  <Name extends keyof JobResults>(
    operation: Name,
    args: readonly unknown[],
    onDone: (error: Error | undefined, value?: JobResults[Name]) => void,
  ): void;
  (operation: string, args: readonly unknown[], onDone: OnDone): void;
}

interface Waiting {
  readonly operation: string;
  onDone(error: Error | undefined, value?: unknown): void;
}

export interface HostJobs {
  /** Starts an operation that the host goes on with while the isolate waits. */
  readonly start: Start;
  /** Calls back for what the host has finished. An error of a callback goes to `onError`. @returns whether there was any. */
  readonly deliver: (afterEach: () => void, onError: (thrown: unknown) => void) => boolean;
  readonly pending: () => string[];
  /** Drops the callbacks of what goes on. */
  readonly clear: () => void;
}

export function makeHostJobs(call: CallHost): HostJobs {
  let waiting = new Map<number, Waiting>();
  return {
    start(operation: string, args: readonly unknown[], onDone: OnDone) {
      waiting.set(call('start', operation, ...args), { operation, onDone });
    },
    deliver(afterEach, onError) {
      if (waiting.size === 0) return false;
      const finished = call('finished');
      for (const [id, { e, v }] of finished) {
        const job = waiting.get(id);
        waiting.delete(id);
        try {
          job?.onDone(e === undefined ? undefined : hostError(e), v);
        } catch (thrown) {
          onError(thrown);
        }
        afterEach();
      }
      return finished.length > 0;
    },
    pending: () => [...waiting.values()].map(({ operation }) => operation),
    clear() {
      if (waiting.size > 0) waiting = new Map();
    },
  };
}
