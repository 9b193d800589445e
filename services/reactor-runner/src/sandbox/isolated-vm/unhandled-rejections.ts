import type { Operations } from '../../node16/host/arguments.ts';
import type { ReportedRejection } from '../../node16/isolate/host-results.ts';

/** isolated-vm puts the host's stack behind this, or behind what it has made of the host's stack itself. */
const boundary = '\n    at (<isolated-vm boundary>)';
/** What it says in place of an object that is no error. */
const noError = 'An object was thrown from supplied code within isolated-vm';

/** Rejections that user code has left unhandled, for code that listens to them. */
export class UnhandledRejections {
  #isWatched = false;
  #left: unknown[] = [];

  /** What the isolate calls. No stack goes into it: it may be one of the host. */
  get operations(): Operations {
    return {
      watchRejections: () => {
        this.#isWatched = true;
      },
      rejections: (stacks) => {
        const left = this.#left;
        this.#left = [];
        return left.map((thrown) => reportOf(thrown, Array.isArray(stacks) ? stacks : []));
      },
    };
  }

  /** Whether there is something that the isolate has not asked for yet. */
  get areWaiting(): boolean {
    return this.#left.length > 0;
  }

  /** @param thrown what isolated-vm has thrown for the first that a stay in the isolate has left. */
  add(thrown: unknown): void {
    if (this.#isWatched) this.#left.push(thrown);
  }

  end(): void {
    if (this.areWaiting) this.#left = [];
  }
}

function reportOf(thrown: unknown, stacks: readonly unknown[]): ReportedRejection {
  if (!(thrown instanceof Error)) return { value: thrown };
  const { name, message, stack = '' } = thrown;
  const known = stacks.findIndex((one) => typeof one === 'string' && stack.startsWith(one + boundary));
  if (known >= 0) return { known };
  if (!message.startsWith(noError)) return { name, message };
  return { name, message: 'Unhandled rejection with an object that is not an Error.' };
}
