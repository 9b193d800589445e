import type { Logger } from '@glovebox/platform/telemetry/logger';

import { type WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';

export interface WorkerSupervisorOptions {
  readonly limits: WorkerLimits;
  readonly logger: Logger;
  /** The least time for the calls of a retiring worker to finish, unless the worker misbehaves. Default: 2 s. */
  readonly lastCallsMs?: number | undefined;
  /** The lowest of its workers' slots, by default 0. The slots of two supervisors in one process must not overlap. */
  readonly firstSlot?: number | undefined;
  /** A worker is ready and not assigned. */
  onSpare(): void;
  onProgress(worker: WorkerProcess): void;
  /** What had not begun in an assigned worker is unfinished: code keeps it busy. */
  onHeld(worker: WorkerProcess): void;
  /** An assigned worker has exited. */
  onLost(worker: WorkerProcess): void;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/**
 * Starts, watches and ends worker processes. One spare worker is always kept ready, so that no call waits for a process
 * to start. A worker that was taken never becomes the spare again: a process serves one tenant in its life.
 */
export class WorkerSupervisor {
  readonly #options: WorkerSupervisorOptions;
  readonly #lastCallsMs: number;
  #limits: WorkerLimits;
  #spare: WorkerProcess | undefined;
  #starting: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;
  /** By slot. */
  readonly #living = new Map<number, WorkerProcess>();
  /** Workers that only finish their calls, and since when by performance.now(), the earliest first. */
  readonly #retiring = new Map<WorkerProcess, number>();

  constructor(options: WorkerSupervisorOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#lastCallsMs = options.lastCallsMs ?? 2_000;
  }

  get hasSpare(): boolean {
    return this.#spare !== undefined;
  }

  get size(): number {
    return this.#living.size;
  }

  get retiring(): number {
    return this.#retiring.size;
  }

  /** Starts a spare worker unless there is one, and retries until it succeeds. */
  replenish(): void {
    if (
      this.#closed ||
      this.#spare !== undefined ||
      this.#starting !== undefined ||
      this.#pause !== undefined
    )
      return;
    this.#starting = this.#start().finally(() => {
      this.#starting = undefined;
      // The new one may have been taken at once.
      this.replenish();
    });
  }

  /** Hands out the spare worker, if there is one, and starts another. */
  take(): WorkerProcess | undefined {
    const worker = this.#spare;
    this.#spare = undefined;
    this.replenish();
    return worker;
  }

  /** Workers start with other limits from now on; the spare one is replaced. */
  change(limits: WorkerLimits): void {
    this.#limits = limits;
    this.#spare?.kill();
  }

  /** Ends the worker once it has no calls. */
  retire(worker: WorkerProcess): void {
    if (worker.open === 0) worker.kill();
    else this.#retiring.set(worker, performance.now());
  }

  /** Kills the worker that has been retiring longest, if it has had its time. */
  endOneRetiring(): boolean {
    const first = this.#retiring.entries().next().value;
    if (first === undefined || performance.now() - first[1] < this.#lastCallsMs) return false;
    const [worker] = first;
    this.#retiring.delete(worker);
    worker.kill();
    return true;
  }

  enforceLimits(): void {
    for (const worker of this.#living.values()) worker.enforceLimits();
  }

  /** Ends all workers and waits until they have exited. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#pause);
    await this.#starting;
    const all = [...this.#living.values()];
    for (const worker of all) worker.kill();
    await Promise.all(all.map((worker) => worker.exited));
  }

  async #start(): Promise<void> {
    const { logger, firstSlot = 0 } = this.#options;
    const limits = this.#limits;
    let slot = firstSlot;
    while (this.#living.has(slot)) slot += 1;
    try {
      const worker = await WorkerProcess.start(limits, slot, {
        progress: (moved) => this.#onProgress(moved),
        held: (held) => this.#options.onHeld(held),
        exit: (gone) => this.#onExit(gone),
      });
      this.#living.set(slot, worker);
      this.#failures = 0;
      this.#spare = worker;
      if (limits !== this.#limits) return worker.kill();
      this.#options.onSpare();
    } catch (err) {
      this.#failures += 1;
      logger.error({ err, failures: this.#failures }, 'a worker process could not be started');
      if (!this.#closed) this.#pause = setTimeout(() => this.#retry(), this.#pauseMs());
    }
  }

  #pauseMs(): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1));
  }

  #retry(): void {
    this.#pause = undefined;
    this.replenish();
  }

  #onProgress(worker: WorkerProcess): void {
    if (this.#retiring.has(worker)) {
      if (worker.open === 0) worker.kill();
    } else {
      this.#options.onProgress(worker);
    }
  }

  #onExit(worker: WorkerProcess): void {
    if (this.#living.get(worker.slot) !== worker) return;
    this.#living.delete(worker.slot);
    if (this.#spare === worker) this.#spare = undefined;
    else if (!this.#retiring.delete(worker)) this.#options.onLost(worker);
    this.replenish();
  }
}
