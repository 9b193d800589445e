import { AppError } from '@glovebox/platform/errors/app-error';
import { FairGate } from '@glovebox/platform/values/fair-gate';

import type { UserCodeFiles } from '../node16/library/user-code-files.ts';
import { KeyCounts } from '../values/key-counts.ts';
import type { WorkerLimits } from '../worker-process/worker-process.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { compileMs } from './compiler.ts';
import { DedicatedWorker } from './dedicated-worker.ts';

/** Before that of the compiler. */
const slot = 549;
/** Loads of one tenant at once: enough for a few concurrent saves. */
const maxWaiting = 20;
/** The answer is given this long before the deadline, loaded or not. */
const answerMs = 1000;
const idleMs = 60_000;

export interface LoaderOptions {
  readonly limits: WorkerLimits;
  /** Wall time of the module's top level. */
  readonly loadMs: number;
  /** The longest that a save waits for the load. */
  readonly waitMs: number;
  /** Whether all packages are prepared; without them, good code would seem to fail. */
  readonly isReady: () => boolean;
}

/**
 * Loads code once, which runs its top level, to see whether it can be run. It has no network, and its process has seen no
 * other tenant's code. It loads one code at a time. Tenants take turns.
 */
export class Loader implements AsyncDisposable {
  readonly #options: LoaderOptions;
  readonly #worker: DedicatedWorker;
  readonly #gate = new FairGate(1);
  readonly #waiting = new KeyCounts();
  /** The tenant whose code the process has seen. */
  #tenantId: string | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#worker = new DedicatedWorker({ ...options.limits, offline: true }, slot, idleMs);
  }

  /**
   * @param code that parses
   * @param deadline milliseconds since the epoch
   * @returns an outcome that is `returned` when the code exports a function; undefined when there was no room or no time
   */
  async load(code: string, tenantId: string, deadline: number): Promise<Outcome | undefined> {
    const waiting = this.#options.isReady() ? this.#waiting.enter(tenantId, maxWaiting) : undefined;
    if (waiting === undefined) return undefined;
    const until = Math.min(deadline - answerMs, Date.now() + this.#options.waitMs);
    const loaded = this.#gate
      .run(tenantId, () => this.#loadNow(code, tenantId, until))
      .catch(untried)
      .finally(() => waiting[Symbol.dispose]());
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), until - Date.now());
    return Promise.race([loaded, late.promise]).finally(() => clearTimeout(timer));
  }

  /** Called before there was anything to load: `isReady` waits for these files. */
  renew(files: UserCodeFiles): void {
    this.#worker.renew(files);
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
}

/** No process started, or not in time. */
function untried(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
