import { AppError } from '@glovebox/platform/errors';

import type { Outcome } from '../sandbox/outcome.ts';
import { LoneWorker } from './lone-worker.ts';
import type { WorkerLimits } from './worker-process.ts';

/** Between those of the workers that tenants use: from 0, of which there are never so many, and from 551 (runner.ts). */
const slot = 550;
/** Code of the greatest length takes some tens of milliseconds. */
export const compileMs = 2000;
const maxWaiting = 100;
const idleMs = 5 * 60_000;

/**
 * Says whether code parses, without running it, in a worker process of its own: tenants' workers neither see each
 * other's code nor wait for it. One code at a time, so that one that ends the process takes no other with it.
 */
export class Compiler implements AsyncDisposable {
  readonly #worker: LoneWorker;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(limits: WorkerLimits) {
    this.#worker = new LoneWorker(limits, slot, idleMs);
  }

  /**
   * An outcome that is `returned` when the code parses.
   * @param deadline milliseconds since the epoch.
   * @throws AppError `unavailable` when too much waits already or no process starts; `deadline_exceeded`.
   */
  async compile(code: string, deadline: number): Promise<Outcome> {
    if (this.#waiting >= maxWaiting) {
      throw new AppError('unavailable', 'Too much code is waiting to be compiled already.');
    }
    this.#waiting += 1;
    const outcome = this.#last.then(() =>
      this.#worker.run((worker, done) => worker.compile(code, compileMs, 0, done), deadline),
    );
    this.#last = outcome.catch(() => undefined);
    return outcome.finally(() => {
      this.#waiting -= 1;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }
}
