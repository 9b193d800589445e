import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import { BusyMap } from '@glovebox/platform/values/busy-map';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { WorkerCall, WorkerProcess } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';

/** The proxy or reactor that code belongs to. Its runs are logged under this owner. */
export interface CodeOwner {
  readonly id: string;
  /** Which transform of a proxy. */
  readonly side?: 'request' | 'response';
}

/** One run of a tenant's code. */
export interface CodeRun extends WorkerCall {
  readonly tenantId: string;
  /** Correlation id of the request at the edge. */
  readonly correlationId: string;
  /** Lets the code act as an application through `bt`; without it there is no `bt`. */
  readonly delegation?: Delegation | undefined;
  /** How many runs wait for this one, because one of them requested it by `bt`; absent: none. */
  readonly depth?: number;
  /** Absent for code whose runs are not logged. */
  readonly owner?: CodeOwner;
  /** Called right before the code can begin. */
  readonly onBegin?: (() => void) | undefined;
  /** Values that no answer about the run may show; absent for code that receives no secrets. */
  readonly known?: KnownValues;
  /** Parent of the spans of its requests by `bt`; absent unless the trace is recorded. */
  readonly trace?: Context | undefined;
}

export interface QueuedRun {
  readonly run: CodeRun;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
  /** Its number in the queue, while it waits. */
  queued?: number;
}

/** One tenant's share of the pool: its own workers, and the runs that wait for them, first come first served. */
export class Tenant {
  readonly id: string;
  readonly workers = new Set<WorkerProcess>();
  /** Runs that are in a worker or wait for one. */
  open = 0;
  /** When the first run began to wait, or the tenant last gained or lost a worker; by performance.now(). */
  waitingSince = 0;
  readonly #queue = new BusyMap<number, QueuedRun>();
  /** Runs that other runs wait for come first: the waiting ones hold places that these would need. */
  readonly #nested = new BusyMap<number, QueuedRun>();
  #lastNumber = 0;

  constructor(id: string) {
    this.id = id;
  }

  get queued(): number {
    return this.#queue.size + this.#nested.size;
  }

  enqueue(waiting: QueuedRun): void {
    if (this.queued === 0) this.waitingSince = performance.now();
    this.#lastNumber += 1;
    waiting.queued = this.#lastNumber;
    (depthOf(waiting) > 0 ? this.#nested : this.#queue).set(waiting.queued, waiting);
  }

  /** The next run in the queue. */
  next(): QueuedRun | undefined {
    return this.#nested.first() ?? this.#queue.first();
  }

  /** Takes a run out of the queue. False when it was not in it. */
  drop(waiting: QueuedRun): boolean {
    const { queued } = waiting;
    return queued !== undefined && (this.#nested.delete(queued) || this.#queue.delete(queued));
  }

  waiting(): QueuedRun[] {
    return [...this.#nested.values(), ...this.#queue.values()];
  }

  /** The least busy of its workers that have room for the run. */
  workerFor(waiting: QueuedRun): WorkerProcess | undefined {
    const depth = depthOf(waiting);
    let best: WorkerProcess | undefined;
    for (const worker of this.workers) {
      if (worker.canTake(depth) && (best === undefined || worker.open < best.open)) best = worker;
    }
    return best;
  }
}

function depthOf({ run }: QueuedRun): number {
  return run.depth ?? 0;
}
