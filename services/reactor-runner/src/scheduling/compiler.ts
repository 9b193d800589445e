import { AppError } from '@glovebox/platform/errors/app-error';
import { FairGate } from '@glovebox/platform/values/fair-gate';

import { KeyCounts } from '../values/key-counts.ts';
import type { WorkerLimits } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { DedicatedWorker } from './dedicated-worker.ts';

/** Between the slots of the pools: from 0, which never has as many, and from 551 (pools.ts). */
const slot = 550;
/** Code of the maximum length takes some tens of milliseconds. */
export const compileMs = 2000;
const maxWaiting = 1000;
const maxWaitingOfTenant = 100;
const idleMs = 5 * 60_000;

/**
 * Parses code without running it, in a worker process of its own: tenants' workers neither see each other's code nor wait
 * for it. It parses one code at a time, so that a crash affects no other code. Tenants take turns.
 */
export class Compiler implements AsyncDisposable {
  readonly #worker: DedicatedWorker;
  readonly #gate = new FairGate(1);
  readonly #waitingOf = new KeyCounts();
  #waiting = 0;

  constructor(limits: WorkerLimits) {
    this.#worker = new DedicatedWorker(limits, slot, idleMs);
  }

  /**
   * @param deadline milliseconds since the epoch
   * @returns an outcome that is `returned` when the code parses
   * @throws AppError `unavailable` when too much waits already or no process starts; `deadline_exceeded`
   */
  async compile(tenantId: string, code: string, deadline: number): Promise<Outcome> {
    using counted =
      this.#waiting < maxWaiting ? this.#waitingOf.enter(tenantId, maxWaitingOfTenant) : undefined;
    if (counted === undefined) {
      throw new AppError('unavailable', 'Too much code is waiting to be compiled already.');
    }
    this.#waiting += 1;
    try {
      return await this.#gate.run(tenantId, () =>
        this.#worker.run((worker, done) => worker.compile(code, compileMs, 0, done), deadline),
      );
    } finally {
      this.#waiting -= 1;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }
}
