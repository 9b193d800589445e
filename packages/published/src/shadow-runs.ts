import { setImmediate as nextTurn } from 'node:timers/promises';

import type { RolloutCounter } from './rollout-counter.ts';
import type { Difference } from './shadow-figures.ts';

/** How the results of both versions compare. */
export interface Tried {
  readonly differences: readonly Difference[];
  /** The second version has failed by its own fault. */
  readonly failed: boolean;
}

/** A shadow, and a request to run it on. */
export interface ShadowRun {
  readonly rolloutId: string;
  /** The second version, as the API shows it. */
  readonly version: number;
  /** That it keeps from being freed. */
  readonly bytes: number;
  /** @returns undefined where nothing can be compared. Throws when the code cannot be run now. */
  attempt(this: void): Promise<Tried | undefined>;
}

/** Beyond these bounds requests are left out: a shadow takes nothing that requests need. */
const mostAtOnce = 8;
const mostBytes = 16 * 1024 * 1024;

/** Runs shadows on requests that have their answer. It never fails, and no request waits for it. */
export class ShadowRuns {
  readonly #counter: Pick<RolloutCounter, 'note' | 'noteCompared' | 'noteSkipped'>;
  #open = 0;
  #bytes = 0;

  constructor(counter: Pick<RolloutCounter, 'note' | 'noteCompared' | 'noteSkipped'>) {
    this.#counter = counter;
  }

  begin(run: ShadowRun): void {
    const { bytes } = run;
    if (this.#open >= mostAtOnce || this.#bytes + bytes > mostBytes) {
      this.#counter.noteSkipped(run.rolloutId);
      return;
    }
    this.#open += 1;
    this.#bytes += bytes;
    void this.#perform(run).finally(() => {
      this.#open -= 1;
      this.#bytes -= bytes;
    });
  }

  async #perform({ rolloutId, version, attempt }: ShadowRun): Promise<void> {
    // First the answer leaves, and what else waits.
    await nextTurn();
    const startedAt = performance.now();
    // What could not be run says nothing of the version, and its reason may hold values.
    const tried = await attempt().catch(() => 'skipped' as const);
    if (tried === undefined) return;
    if (tried === 'skipped') {
      this.#counter.noteSkipped(rolloutId);
      return;
    }
    const { failed, differences } = tried;
    this.#counter.note({ rolloutId, version, failed, ms: performance.now() - startedAt });
    this.#counter.noteCompared(rolloutId, differences);
  }
}
