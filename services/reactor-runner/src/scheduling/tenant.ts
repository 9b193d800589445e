import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import type { HostPatterns } from '@glovebox/protos/published/v1/published';
import type { RunNote, TransformedMessage } from '@glovebox/protos/runner/v1/runner';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import { keyOf } from '../worker-process/code-table.ts';
import type { WorkerCall } from '../worker-process/worker-call.ts';
import type { WorkerProcess } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { CodeConduct, type Lane } from './code-conduct.ts';
import { FairQueue } from './fair-queue.ts';

/** The proxy or reactor that code belongs to. Its runs are logged under this owner. */
export interface CodeOwner {
  readonly id: string;
  /** Which transform of a proxy. */
  readonly side?: 'request' | 'response';
}

/** The hosts that code may reach, and those that may reach its result because they invoked it by `bt`. */
export interface InvokingCode {
  /** Undefined: what the tenant's egress policy allows. */
  readonly allowedDestinations: HostPatterns | undefined;
  /** Absent for code that was invoked from outside. */
  readonly invokedBy?: InvokingCode | undefined;
}

/** What an ended run has taken and logged. */
export interface RunEnd {
  /** Wall time. */
  readonly seconds: number;
  /** JSON text from the worker process, untrusted; undefined: nothing was logged. */
  readonly log: Buffer | undefined;
  /** Memory of its isolate, of a run that was measured; 0 where that is unknown. */
  readonly heldKb: number;
}

/** One run of a tenant's code. */
export interface CodeRun extends WorkerCall {
  readonly tenantId: string;
  /** Correlation id of the request at the edge. */
  readonly correlationId: string;
  /** Where that request came from. */
  readonly clientAddress?: string | undefined;
  /** Lets the code act as an application through `bt`; without it there is no `bt`. */
  readonly delegation?: Delegation | undefined;
  /** How many runs wait for this one, because one of them requested it by `bt`; absent: none. */
  readonly depth?: number;
  /** Absent for code whose runs are not logged. */
  readonly owner?: CodeOwner;
  /** What a transform replaces; absent for other code, and for gateways that do not say. */
  readonly message?: TransformedMessage | undefined;
  /** What it may reach, and with it the result of a reactor that it invokes by `bt`; absent: anything. */
  readonly invoking?: InvokingCode;
  /** Called right before the code can begin; once, even if it begins again elsewhere. */
  readonly onBegin?: (() => void) | undefined;
  /** Called when it has ended, before its outcome is known. */
  readonly onEnd?: ((end: RunEnd) => void) | undefined;
  /** Its calls by `bt` are refused, and named here: nothing that it does may have an effect. */
  readonly onRefusedBt?: ((route: string) => void) | undefined;
  /** Values that no answer about the run may show; absent for code that receives no secrets. */
  readonly known?: KnownValues;
  /** Filled in for the outline that the gateway records; absent when no gateway waits for the run. */
  readonly note?: RunNote | undefined;
  /** Parent of the spans of its requests by `bt`; absent unless the trace is recorded. */
  readonly trace?: Context | undefined;
}

export interface QueuedRun {
  readonly run: CodeRun;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
  /** Its number in the queue, while it waits. */
  queued?: number;
  /** It has been in a worker, and comes before what has not. */
  isAgain?: boolean;
  /** It has begun a second time. There is no third. */
  isRerun?: boolean;
}

/** One tenant's share of the pool: its own workers, and the runs that wait for them. Its codes take turns. */
export class Tenant {
  readonly id: string;
  /** Workers that its codes share. */
  readonly workers = new Set<WorkerProcess>();
  /** The worker for code that runs alone. */
  apart: WorkerProcess | undefined;
  readonly conduct = new CodeConduct();
  /** Runs that are in a worker or wait for one. */
  open = 0;
  /** When the first run began to wait, or the tenant last gained or lost a worker; by performance.now(). */
  waitingSince = 0;
  /** Runs that other runs wait for come first: the waiting ones hold places that these would need. */
  readonly #nested = new FairQueue<QueuedRun>();
  readonly #again = new FairQueue<QueuedRun>();
  readonly #queue = new FairQueue<QueuedRun>();
  #lastNumber = 0;
  readonly #isShared = (code: string) => this.conduct.laneOf(code) === 'shared';
  readonly #isApart = (code: string) => this.conduct.laneOf(code) === 'apart';

  constructor(id: string) {
    this.id = id;
  }

  get queued(): number {
    return this.#queue.size + this.#nested.size + this.#again.size;
  }

  enqueue(waiting: QueuedRun): void {
    if (this.queued === 0) this.waitingSince = performance.now();
    this.#lastNumber += 1;
    waiting.queued = this.#lastNumber;
    this.#queueOf(waiting).add(keyOf(waiting.run), waiting.queued, waiting);
  }

  /** The next run in the queue that may run there. */
  next(lane: Exclude<Lane, 'paused'>): QueuedRun | undefined {
    const fits = lane === 'shared' ? this.#isShared : this.#isApart;
    return this.#nested.next(fits) ?? this.#again.next(fits) ?? this.#queue.next(fits);
  }

  /** Takes a run out of the queue. False when it was not in it. */
  drop(waiting: QueuedRun): boolean {
    const { queued } = waiting;
    return queued !== undefined && this.#queueOf(waiting).delete(keyOf(waiting.run), queued);
  }

  waiting(): QueuedRun[] {
    return [...this.#nested.values(), ...this.#again.values(), ...this.#queue.values()];
  }

  /** Runs of a code that wait for their first worker. */
  queuedOf(code: string): number {
    return this.#queue.sizeOf(code);
  }

  /** The run that came last, of the code of which most wait. */
  lastOfMost(): QueuedRun | undefined {
    let most: string | undefined;
    for (const code of this.#queue.keys()) {
      if (most === undefined || this.queuedOf(code) > this.queuedOf(most)) most = code;
    }
    return most === undefined ? undefined : this.lastOf(most);
  }

  lastOf(code: string): QueuedRun | undefined {
    return this.#queue.last(code);
  }

  /** Whether something waits that could run beside other code, and no worker for that goes on. */
  get needsWorker(): boolean {
    return this.queued > 0 && this.servingWorkers === 0 && this.next('shared') !== undefined;
  }

  /** Whether something waits that runs alone, and there is no worker for it. */
  get needsApart(): boolean {
    return this.queued > 0 && this.apart === undefined && this.next('apart') !== undefined;
  }

  /** Shared workers that no code holds up. */
  get servingWorkers(): number {
    let count = 0;
    for (const { isHeld } of this.workers) if (!isHeld) count += 1;
    return count;
  }

  /** The least busy of its shared workers that have room for the run. */
  workerFor(waiting: QueuedRun): WorkerProcess | undefined {
    const depth = depthOf(waiting);
    let best: WorkerProcess | undefined;
    for (const worker of this.workers) {
      if (worker.canTake(depth) && (best === undefined || worker.open < best.open)) best = worker;
    }
    return best;
  }

  /** The worker for code that runs alone, when nothing is in it. */
  get freeApart(): WorkerProcess | undefined {
    return this.apart?.open === 0 && this.apart.canTake() ? this.apart : undefined;
  }

  #queueOf(waiting: QueuedRun): FairQueue<QueuedRun> {
    if (depthOf(waiting) > 0) return this.#nested;
    return waiting.isAgain === true ? this.#again : this.#queue;
  }
}

function depthOf({ run }: QueuedRun): number {
  return run.depth ?? 0;
}
