import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { AnswerBtRequest } from '../worker-process/call-bt-requests.ts';
import type { Done } from '../worker-process/worker-calls.ts';
import type { WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { type Outcome, isMisbehaviour } from '../worker-protocol/outcome.ts';
import { type CodeRun, Tenant, type QueuedRun } from './tenant.ts';
import { WorkerScheduler, type WorkerSchedulerOptions } from './worker-scheduler.ts';

export interface PoolOptions extends Pick<WorkerSchedulerOptions, 'lastCallsMs' | 'firstSlot'> {
  /** Workers that serve tenants at once; one more is kept ready. */
  readonly size: number;
  /** Wall time of one run, from its start. */
  readonly wallMs: number;
  /** Running and waiting runs of one tenant. */
  readonly runsPerTenant: number;
  /** Bytes of the waiting runs' arguments, of all tenants together. */
  readonly queuedBytes: number;
  readonly worker: WorkerLimits;
  readonly logger: Logger;
  /** Answers the requests that a run's code makes by `bt`. Never rejects. */
  readonly answerBtRequest: (
    run: CodeRun,
    delegation: Delegation,
    ...request: Parameters<AnswerBtRequest>
  ) => Promise<Buffer>;
  /** @param log as the worker sent it. */
  readonly onOutcome: (outcome: Outcome, seconds: number, run: CodeRun, log: Buffer | undefined) => void;
}

const sweepMs = 100;

/** Runs tenants' code in worker processes. Each process serves one tenant (worker-scheduler.ts). */
export class WorkerPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #tenants = new Map<string, Tenant>();
  readonly #scheduler: WorkerScheduler;
  readonly #sweeper: NodeJS.Timeout;
  #queued = 0;
  #queuedBytes = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#scheduler = new WorkerScheduler({
      size: options.size,
      limits: options.worker,
      lastCallsMs: options.lastCallsMs,
      firstSlot: options.firstSlot,
      logger: options.logger,
      tenants: () => this.#tenants.values(),
      onRoom: (tenant) => this.#serve(tenant),
    });
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs);
  }

  /** Whether at least one worker is ready, in use or not. */
  get isReady(): boolean {
    return this.#scheduler.isReady;
  }

  /** Workers by state, and runs that wait. */
  get counts(): { serving: number; busy: number; retiring: number; living: number; queued: number } {
    return { ...this.#scheduler.counts, queued: this.#queued };
  }

  /**
   * Resolves to how the code ended, whatever it did. Rejects with AppError `rate_limited` or `unavailable` when
   * too much waits already, and with `deadline_exceeded` or `cancelled` when that happens before the code starts.
   */
  run(run: CodeRun): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const tenant = this.#tenants.get(run.tenantId) ?? new Tenant(run.tenantId);
      const refusal = this.#refusalOf(tenant, run);
      if (refusal !== undefined) return reject(refusal);
      this.#tenants.set(run.tenantId, tenant);
      tenant.open += 1;
      const waiting = { run, resolve, reject };
      const worker = tenant.queued === 0 ? tenant.workerFor(waiting) : undefined;
      if (worker !== undefined) return this.#send(tenant, worker, waiting);
      this.#wait(tenant, waiting);
      if (tenant.workers.size === 0) this.#scheduler.assignSpare();
      else if ((run.depth ?? 0) > 0) this.#serve(tenant);
    });
  }

  /** Ends all workers; their runs and the waiting ones fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    this.#giveUpOn(() => true, stopping);
    await this.#scheduler.close();
  }

  #refusalOf(tenant: Tenant, run: CodeRun): AppError | undefined {
    if (this.#closed) return stopping();
    if (tenant.open >= this.#options.runsPerTenant) {
      return new AppError('rate_limited', 'Too many runs of code are waiting already.');
    }
    if (this.#queued > 0 && this.#queuedBytes + run.argument.length > this.#options.queuedBytes) {
      return new AppError('unavailable', 'Too many requests are waiting already.');
    }
    return undefined;
  }

  #wait(tenant: Tenant, waiting: QueuedRun): void {
    tenant.enqueue(waiting);
    this.#queued += 1;
    this.#queuedBytes += waiting.run.argument.length;
  }

  #giveUp(tenant: Tenant, waiting: QueuedRun, error: AppError): void {
    if (!tenant.drop(waiting)) return;
    this.#unqueued(waiting);
    waiting.reject(error);
    tenant.open -= 1;
  }

  #giveUpOn(which: (run: CodeRun) => boolean, error: () => AppError): void {
    for (const tenant of this.#tenants.values()) {
      for (const waiting of tenant.waiting()) if (which(waiting.run)) this.#giveUp(tenant, waiting, error());
    }
  }

  #unqueued({ run }: QueuedRun): void {
    this.#queued -= 1;
    this.#queuedBytes -= run.argument.length;
  }

  /** Sends the tenant's waiting runs to its workers that have room. */
  #serve(tenant: Tenant): void {
    for (let waiting = tenant.next(); waiting !== undefined; waiting = tenant.next()) {
      const worker = tenant.workerFor(waiting);
      if (worker === undefined) return;
      tenant.drop(waiting);
      this.#unqueued(waiting);
      this.#send(tenant, worker, waiting);
    }
  }

  #send(tenant: Tenant, worker: WorkerProcess, { run, resolve, reject }: QueuedRun): void {
    const timeoutMs = Math.min(this.#options.wallMs, run.lifetime.deadline - Date.now());
    if (timeoutMs <= 0 || run.lifetime.cancelled) {
      reject(run.lifetime.cancelled ? cancelled() : late());
      tenant.open -= 1;
      return;
    }
    run.onBegin?.();
    const startedAt = performance.now();
    const done: Done = (ended, log) => {
      const outcome = withLimit(ended, timeoutMs, this.#options.worker.memoryMb);
      resolve(outcome);
      tenant.open -= 1;
      if (isMisbehaviour(outcome)) this.#scheduler.retire(worker);
      this.#options.onOutcome(outcome, (performance.now() - startedAt) / 1000, run, log);
    };
    const { delegation } = run;
    const { answerBtRequest } = this.#options;
    if (delegation === undefined) worker.run(run, timeoutMs, done);
    else worker.run(run, timeoutMs, done, (...request) => answerBtRequest(run, delegation, ...request));
  }

  #sweep(): void {
    const now = Date.now();
    this.#giveUpOn(({ lifetime }) => lifetime.cancelled, cancelled);
    this.#giveUpOn(({ lifetime }) => lifetime.deadline <= now, late);
    this.#scheduler.sweep();
    for (const tenant of this.#tenants.values()) {
      if (tenant.open === 0 && tenant.workers.size === 0) this.#tenants.delete(tenant.id);
    }
  }
}

/** Adds the limit that was exceeded. */
function withLimit(outcome: Outcome, limitMs: number, limitMb: number): Outcome {
  if (outcome.kind === 'timeout') return { limitMs, ...outcome };
  return outcome.kind === 'memory' ? { limitMb, ...outcome } : outcome;
}

function stopping(): AppError {
  return new AppError('unavailable', 'The service is stopping.');
}

function late(): AppError {
  return new AppError('deadline_exceeded', 'The request took too long.');
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The request was cancelled.');
}
