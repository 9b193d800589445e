import { setImmediate as nextTurn } from 'node:timers/promises';

import type { RolloutCounter } from '@glovebox/published/rollout-counter';

import type { Shadow } from './shadow.ts';
import { type TryDependencies, tryVersion } from './try-version.ts';

/** Beyond these bounds requests are left out: a shadow takes nothing that requests need. */
const mostAtOnce = 8;
const mostBytes = 16 * 1024 * 1024;

/** Tries second versions on requests that have their answer. It never fails, and nobody waits for it. */
export class ShadowRuns {
  readonly #dependencies: TryDependencies;
  readonly #counter: Pick<RolloutCounter, 'note' | 'noteCompared'>;
  #open = 0;
  #bytes = 0;

  constructor(dependencies: TryDependencies, counter: Pick<RolloutCounter, 'note' | 'noteCompared'>) {
    this.#dependencies = dependencies;
    this.#counter = counter;
  }

  begin(shadow: Shadow): void {
    const { bytes } = shadow;
    if (this.#open >= mostAtOnce || this.#bytes + bytes > mostBytes) return;
    this.#open += 1;
    this.#bytes += bytes;
    void this.#run(shadow).finally(() => {
      this.#open -= 1;
      this.#bytes -= bytes;
    });
  }

  async #run(shadow: Shadow): Promise<void> {
    const { rolloutId, second } = shadow;
    // First the answer leaves, and what else waits.
    await nextTurn();
    const startedAt = performance.now();
    // What could not be run says nothing of the version, and its reason may hold values.
    const tried = await tryVersion(shadow, this.#dependencies).catch(() => undefined);
    if (tried === undefined) return;
    const { failed, differences } = tried;
    this.#counter.note({ rolloutId, version: second.version, failed, ms: performance.now() - startedAt });
    this.#counter.noteCompared(rolloutId, differences);
  }
}
