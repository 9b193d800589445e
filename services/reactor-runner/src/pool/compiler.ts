import { AppError } from '@glovebox/platform/errors';

import { type Outcome, isMisbehaviour } from '../sandbox/outcome.ts';
import { type WorkerLimits, WorkerProcess } from './worker-process.ts';

/** Between those of the workers that tenants use: from 0, of which there are never so many, and from 551 (runner.ts). */
const slot = 550;
/** Code of the greatest length takes some tens of milliseconds. */
const compileMs = 2000;
const watchMs = 50;
const maxWaiting = 100;
const idleMs = 5 * 60_000;

/**
 * Says whether code parses, without running it, in a worker process of its own: tenants' workers neither see each
 * other's code nor wait for it. One code at a time, so that one that ends the process takes no other with it.
 */
export class Compiler implements AsyncDisposable {
  readonly #limits: WorkerLimits;
  #worker: Promise<WorkerProcess> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  /**
   * An outcome that is `returned` when the code parses.
   * @param deadline milliseconds since the epoch.
   * @throws AppError `unavailable` when too much waits already or no process starts; `deadline_exceeded`.
   */
  async compile(code: string, deadline: number): Promise<Outcome> {
    if (this.#closed) throw new AppError('unavailable', 'The service is stopping.');
    if (this.#waiting >= maxWaiting) {
      throw new AppError('unavailable', 'Too much code is waiting to be compiled already.');
    }
    this.#waiting += 1;
    clearTimeout(this.#idle);
    const outcome = this.#last.then(() => this.#compileNow(code, deadline));
    this.#last = outcome.catch(() => undefined);
    return outcome.finally(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#closed) this.#idle = setTimeout(() => void this.#end(), idleMs);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  /** A process may have ended by itself: only code that ends two of them has done so. */
  async #compileNow(code: string, deadline: number): Promise<Outcome> {
    const outcome = await this.#attempt(code, deadline);
    return outcome.kind === 'crashed' ? this.#attempt(code, deadline) : outcome;
  }

  async #attempt(code: string, deadline: number): Promise<Outcome> {
    if (Date.now() >= deadline) throw new AppError('deadline_exceeded', 'The request took too long.');
    const worker = await this.#started();
    const watch = setInterval(() => worker.enforceLimits(), watchMs);
    const outcome = await new Promise<Outcome>((resolve) => worker.compile(code, compileMs, resolve));
    clearInterval(watch);
    if (isMisbehaviour(outcome)) await this.#end();
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
    const started: Promise<WorkerProcess> = WorkerProcess.start(this.#limits, slot, {
      progress: () => undefined,
      exit: () => this.#forget(started),
    });
    return started;
  }

  /** One that did not start in time ends when another one may be there already. */
  #forget(worker: Promise<WorkerProcess>): void {
    if (this.#worker === worker) this.#worker = undefined;
  }

  async #end(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    worker?.kill();
    await worker?.exited;
  }
}
