import { AppError } from '@glovebox/platform/errors/app-error';
import { FairGate } from '@glovebox/platform/values/fair-gate';

import type { WorkerLimits } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { compileMs } from './compiler.ts';
import { LoneWorker } from './lone-worker.ts';

/** Before that of the compiler. */
const slot = 549;
/** Codes of one tenant that wait or are loaded: as many as a few saves at once bring. */
const maxWaiting = 20;
/** So much before the deadline there is an answer, without this if need be. */
const answerMs = 1000;
const idleMs = 60_000;

export interface LoaderOptions {
  readonly limits: WorkerLimits;
  /** Of what a module does when it is loaded. */
  readonly loadMs: number;
  /** So long whoever saves code waits for this. */
  readonly waitMs: number;
  /** Whether all is there that code may require: without it, it would look as if it failed. */
  readonly isReady: () => boolean;
}

/**
 * Loads code once to see whether it can be run: what it does at its top then shows. It can reach nothing, and is in a process
 * that no other tenant's code has been in. One code at a time, and tenants take turns.
 */
export class Loader implements AsyncDisposable {
  readonly #options: LoaderOptions;
  readonly #worker: LoneWorker;
  readonly #gate = new FairGate(1);
  readonly #waiting = new Map<string, number>();
  /** Whose code the process has seen. */
  #tenantId: string | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#worker = new LoneWorker({ ...options.limits, offline: true }, slot, idleMs);
  }

  /**
   * An outcome that is `returned` when the code exports a function; undefined when there was no room or no time to see.
   * @param code that parses
   * @param deadline milliseconds since the epoch.
   */
  async load(code: string, tenantId: string, deadline: number): Promise<Outcome | undefined> {
    const waiting = this.#waiting.get(tenantId) ?? 0;
    if (waiting >= maxWaiting || !this.#options.isReady()) return undefined;
    this.#waiting.set(tenantId, waiting + 1);
    const until = Math.min(deadline - answerMs, Date.now() + this.#options.waitMs);
    const loaded = this.#gate
      .run(tenantId, () => this.#loadNow(code, tenantId, until))
      .catch(untried)
      .finally(() => this.#leave(tenantId));
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), until - Date.now());
    return Promise.race([loaded, late.promise]).finally(() => clearTimeout(timer));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }

  async #loadNow(code: string, tenantId: string, until: number): Promise<Outcome> {
    if (this.#tenantId !== tenantId) await this.#worker.end();
    this.#tenantId = tenantId;
    const { loadMs } = this.#options;
    return this.#worker.run((worker, done) => worker.compile(code, compileMs, loadMs, done), until);
  }

  #leave(tenantId: string): void {
    const waiting = (this.#waiting.get(tenantId) ?? 1) - 1;
    if (waiting === 0) this.#waiting.delete(tenantId);
    else this.#waiting.set(tenantId, waiting);
  }
}

/** No process has started, or not in time. */
function untried(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
