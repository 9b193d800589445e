import { AppError } from '@glovebox/platform/errors/app-error';

import { type WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { type Outcome, isMisbehaviour } from '../worker-protocol/outcome.ts';

const watchMs = 50;

/**
 * One worker process beside those that run tenants' code, for one piece of work at a time. It starts when there is some, and
 * ends when there has been none for a while.
 */
export class LoneWorker implements AsyncDisposable {
  readonly #limits: WorkerLimits;
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
   * A process may have ended by itself: only work that ends two of them has done so.
   * @param deadline milliseconds since the epoch.
   * @throws AppError `unavailable` when no process starts; `deadline_exceeded`.
   */
  async run(work: Work, deadline: number): Promise<Outcome> {
    clearTimeout(this.#idle);
    try {
      const outcome = await this.#attempt(work, deadline);
      return outcome.kind === 'crashed' ? await this.#attempt(work, deadline) : outcome;
    } finally {
      if (!this.#closed) this.#idle = setTimeout(() => void this.end(), this.#idleMs);
    }
  }

  /** The next piece of work gets a new process. */
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

  async #attempt(work: Work, deadline: number): Promise<Outcome> {
    if (Date.now() >= deadline) throw new AppError('deadline_exceeded', 'The request took too long.');
    const worker = await this.#started();
    const watch = setInterval(() => worker.enforceLimits(), watchMs);
    const outcome = await new Promise<Outcome>((resolve) => work(worker, resolve));
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
      exit: () => this.#forget(started),
    });
    return started;
  }

  /** One that did not start in time ends when another one may be there already. */
  #forget(worker: Promise<WorkerProcess>): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

type Work = (worker: WorkerProcess, done: (outcome: Outcome) => void) => void;
