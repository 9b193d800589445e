import { AppError } from '@glovebox/platform/errors/app-error';

import type { UserCodeFiles } from '../node16/library/user-code-files.ts';
import { type WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { type Outcome, isMisbehaviour } from '../worker-protocol/outcome.ts';

const watchMs = 50;

/**
 * One worker process beside the pools, for one task at a time. It starts with the first task, and ends when it has been
 * idle for a while.
 */
export class DedicatedWorker implements AsyncDisposable {
  #limits: WorkerLimits;
  readonly #slot: number;
  readonly #idleMs: number;
  #worker: Promise<WorkerProcess> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(limits: WorkerLimits, slot: number, idleMs: number) {
    this.#limits = limits;
    this.#slot = slot;
    this.#idleMs = idleMs;
  }

  /**
   * A process may exit for reasons of its own, so a task is tried a second time before it is blamed.
   * @param deadline milliseconds since the epoch
   * @throws AppError `unavailable` when no process starts; `deadline_exceeded`
   */
  async run(task: WorkerTask, deadline: number): Promise<Outcome> {
    clearTimeout(this.#idle);
    try {
      const outcome = await this.#attempt(task, deadline);
      return outcome.kind === 'crashed' ? await this.#attempt(task, deadline) : outcome;
    } finally {
      if (!this.#closed) this.#idle = setTimeout(() => void this.end(), this.#idleMs);
    }
  }

  /** The next process starts with these files. */
  renew(files: UserCodeFiles): void {
    this.#limits = { ...this.#limits, ...files };
  }

  /** Ends the process; the next task starts a new one. */
  async end(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    worker?.kill();
    await worker?.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.end();
  }

  async #attempt(task: WorkerTask, deadline: number): Promise<Outcome> {
    if (Date.now() >= deadline) throw new AppError('deadline_exceeded', 'The request took too long.');
    const worker = await this.#started();
    const watch = setInterval(() => worker.enforceLimits(), watchMs);
    const outcome = await new Promise<Outcome>((resolve) => task(worker, resolve));
    clearInterval(watch);
    if (isMisbehaviour(outcome)) await this.end();
    return outcome;
  }

  async #started(): Promise<WorkerProcess> {
    if (this.#closed) throw new AppError('unavailable', 'The service is stopping.');
    const worker = (this.#worker ??= this.#start());
    try {
      return await worker;
    } catch (cause) {
      this.#forget(worker);
      throw new AppError('unavailable', 'The code cannot be compiled now.', { cause });
    }
  }

  #start(): Promise<WorkerProcess> {
    const started: Promise<WorkerProcess> = WorkerProcess.start(this.#limits, this.#slot, {
      progress: () => undefined,
      held: () => undefined,
      exit: () => this.#forget(started),
    });
    return started;
  }

  /** A process that started too late may end after its successor has started. */
  #forget(worker: Promise<WorkerProcess>): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

type WorkerTask = (worker: WorkerProcess, done: (outcome: Outcome) => void) => void;
