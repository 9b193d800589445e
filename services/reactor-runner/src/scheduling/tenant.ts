import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import { BusyMap } from '@glovebox/platform/values/busy-map';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { WorkerCall, WorkerProcess } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import type { CodeOwner } from './code-owner.ts';

/** A run of a tenant's code that somebody waits for. */
export interface Job extends WorkerCall {
  readonly tenantId: string;
  /** Correlation id of the request at the edge. */
  readonly correlationId: string;
  /** As whose application the code acts through `bt`; without it there is no `bt`. */
  readonly delegation?: Delegation;
  /** How many runs wait for this one, which one of them has asked for; absent: none. */
  readonly depth?: number;
  /** In whose log the run is found; absent for code of which nothing is kept. */
  readonly owner?: CodeOwner;
  /** Told right before the code can have begun. */
  readonly onBegin?: () => void;
  /** What no answer about the run may show; absent for code that gets nothing secret. */
  readonly known?: KnownValues;
  /** What the code asks for is traced under this; absent unless the trace is recorded. */
  readonly trace?: Context | undefined;
}

export interface WaitingJob {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
  /** Its number in the queue, while it is in one. */
  queued?: number;
}

/** What one tenant has in the pool: its own workers, and the jobs that wait for them, first come first served. */
export class Tenant {
  readonly id: string;
  readonly workers = new Set<WorkerProcess>();
  /** Jobs that are in a worker or wait for one. */
  open = 0;
  /** Since when jobs have been waiting, or when it last got or lost a worker; by performance.now(). */
  waitingSince = 0;
  readonly #queue = new BusyMap<number, WaitingJob>();
  /** Runs that other runs wait for come first: what waits holds places that they would wait for. */
  readonly #nested = new BusyMap<number, WaitingJob>();
  #lastNumber = 0;

  constructor(id: string) {
    this.id = id;
  }

  get queued(): number {
    return this.#queue.size + this.#nested.size;
  }

  enqueue(waiting: WaitingJob): void {
    if (this.queued === 0) this.waitingSince = performance.now();
    this.#lastNumber += 1;
    waiting.queued = this.#lastNumber;
    (depthOf(waiting) > 0 ? this.#nested : this.#queue).set(waiting.queued, waiting);
  }

  /** The job whose turn it is, if it waits. */
  next(): WaitingJob | undefined {
    return this.#nested.first() ?? this.#queue.first();
  }

  /** False when it does not wait any more. */
  drop(waiting: WaitingJob): boolean {
    const { queued } = waiting;
    return queued !== undefined && (this.#nested.delete(queued) || this.#queue.delete(queued));
  }

  waiting(): WaitingJob[] {
    return [...this.#nested.values(), ...this.#queue.values()];
  }

  /** Of its workers that have room for the job, the one with the least to do. */
  workerFor(waiting: WaitingJob): WorkerProcess | undefined {
    const depth = depthOf(waiting);
    let best: WorkerProcess | undefined;
    for (const worker of this.workers) {
      if (worker.canTake(depth) && (best === undefined || worker.open < best.open)) best = worker;
    }
    return best;
  }
}

function depthOf({ job }: WaitingJob): number {
  return job.depth ?? 0;
}
