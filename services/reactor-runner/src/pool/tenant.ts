import type { Context } from '@glovebox/platform/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { Outcome } from '../sandbox/outcome.ts';
import type { WorkerCall, WorkerProcess } from './worker-process.ts';

/** A run of a tenant's code that somebody waits for. */
export interface Job extends WorkerCall {
  readonly tenantId: string;
  /** Correlation id of the request at the edge. */
  readonly correlationId: string;
  /** As whose application the code acts through `bt`; without it there is no `bt`. */
  readonly delegation?: Delegation;
  /** What the code asks for is traced under this; absent unless the trace is recorded. */
  readonly trace?: Context | undefined;
}

export interface WaitingJob {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** What one tenant has in the pool: its own workers, and the jobs that wait for them, first come first served. */
export class Tenant {
  readonly id: string;
  readonly workers = new Set<WorkerProcess>();
  /** Jobs that are in a worker or wait for one. */
  open = 0;
  /** Since when jobs have been waiting, or when it last got or lost a worker; by performance.now(). */
  waitingSince = 0;
  readonly #queue = new Set<WaitingJob>();

  constructor(id: string) {
    this.id = id;
  }

  get queued(): number {
    return this.#queue.size;
  }

  enqueue(waiting: WaitingJob): void {
    if (this.#queue.size === 0) this.waitingSince = performance.now();
    this.#queue.add(waiting);
  }

  dequeue(): WaitingJob | undefined {
    const first = this.#queue.values().next().value;
    if (first !== undefined) this.#queue.delete(first);
    return first;
  }

  /** False when it does not wait any more. */
  drop(waiting: WaitingJob): boolean {
    return this.#queue.delete(waiting);
  }

  waiting(): Iterable<WaitingJob> {
    return this.#queue;
  }

  /** Of its workers that have room, the one with the least to do. */
  workerWithRoom(): WorkerProcess | undefined {
    let best: WorkerProcess | undefined;
    for (const worker of this.workers) {
      if (worker.canTake() && (best === undefined || worker.open < best.open)) best = worker;
    }
    return best;
  }
}
