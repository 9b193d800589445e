import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import type { AnswerAsk } from '../worker-process/call-bt-requests.ts';
import type { Done } from '../worker-process/worker-calls.ts';
import type { WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { type Outcome, isMisbehaviour } from '../worker-protocol/outcome.ts';
import { type Job, Tenant, type WaitingJob } from './tenant.ts';
import { Lending, type LendingOptions } from './worker-scheduler.ts';

export interface PoolOptions extends Pick<LendingOptions, 'lastCallsMs' | 'firstSlot'> {
  /** Workers that serve tenants at once; one more is kept ready. */
  readonly size: number;
  /** Wall time of one run, from its start. */
  readonly wallMs: number;
  /** Jobs of one tenant that run or wait. */
  readonly jobsPerTenant: number;
  /** Bytes of the arguments that wait, of all tenants together. */
  readonly queuedBytes: number;
  readonly worker: WorkerLimits;
  readonly logger: Logger;
  /** Answers what a job's code asks for by `bt`; only for jobs with a delegation. Never rejects. */
  readonly answerAsk: (job: Job, ...ask: Parameters<AnswerAsk>) => Promise<Buffer>;
  /** @param log as the worker sent it. */
  readonly onOutcome: (outcome: Outcome, seconds: number, job: Job, log: Buffer | undefined) => void;
}

const sweepMs = 100;

/** Runs tenants' code in worker processes, each tenant's in its own (lending.ts). */
export class WorkerPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #tenants = new Map<string, Tenant>();
  readonly #lending: Lending;
  readonly #sweeper: NodeJS.Timeout;
  #queued = 0;
  #queuedBytes = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#lending = new Lending({
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
    return this.#lending.isReady;
  }

  /** Workers by what they do, and jobs that wait. */
  get counts(): { serving: number; busy: number; retiring: number; living: number; queued: number } {
    return { ...this.#lending.counts, queued: this.#queued };
  }

  /**
   * Resolves to how the code ended, whatever it did. Rejects with AppError `rate_limited` or `unavailable` when
   * too much waits already; `deadline_exceeded` or `cancelled` when that came before its turn.
   */
  run(job: Job): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const tenant = this.#tenants.get(job.tenantId) ?? new Tenant(job.tenantId);
      const refusal = this.#refusalOf(tenant, job);
      if (refusal !== undefined) return reject(refusal);
      this.#tenants.set(job.tenantId, tenant);
      tenant.open += 1;
      const waiting = { job, resolve, reject };
      const worker = tenant.queued === 0 ? tenant.workerFor(waiting) : undefined;
      if (worker !== undefined) return this.#send(tenant, worker, waiting);
      this.#wait(tenant, waiting);
      if (tenant.workers.size === 0) this.#lending.lend();
      else if ((job.depth ?? 0) > 0) this.#serve(tenant);
    });
  }

  /** Ends all workers; what is in them or waits for them fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    this.#giveUpOn(() => true, stopping);
    await this.#lending.close();
  }

  #refusalOf(tenant: Tenant, job: Job): AppError | undefined {
    if (this.#closed) return stopping();
    if (tenant.open >= this.#options.jobsPerTenant) {
      return new AppError('rate_limited', 'Too many runs of code are waiting already.');
    }
    if (this.#queued > 0 && this.#queuedBytes + job.argument.length > this.#options.queuedBytes) {
      return new AppError('unavailable', 'Too many requests are waiting already.');
    }
    return undefined;
  }

  #wait(tenant: Tenant, waiting: WaitingJob): void {
    tenant.enqueue(waiting);
    this.#queued += 1;
    this.#queuedBytes += waiting.job.argument.length;
  }

  #giveUp(tenant: Tenant, waiting: WaitingJob, error: AppError): void {
    if (!tenant.drop(waiting)) return;
    this.#unqueued(waiting);
    waiting.reject(error);
    tenant.open -= 1;
  }

  #giveUpOn(which: (job: Job) => boolean, error: () => AppError): void {
    for (const tenant of this.#tenants.values()) {
      for (const waiting of tenant.waiting()) if (which(waiting.job)) this.#giveUp(tenant, waiting, error());
    }
  }

  #unqueued({ job }: WaitingJob): void {
    this.#queued -= 1;
    this.#queuedBytes -= job.argument.length;
  }

  /** Gives the tenant's jobs to those of its workers that have room. */
  #serve(tenant: Tenant): void {
    for (let waiting = tenant.next(); waiting !== undefined; waiting = tenant.next()) {
      const worker = tenant.workerFor(waiting);
      if (worker === undefined) return;
      tenant.drop(waiting);
      this.#unqueued(waiting);
      this.#send(tenant, worker, waiting);
    }
  }

  #send(tenant: Tenant, worker: WorkerProcess, { job, resolve, reject }: WaitingJob): void {
    const timeoutMs = Math.min(this.#options.wallMs, job.caller.deadline - Date.now());
    if (timeoutMs <= 0 || job.caller.cancelled) {
      reject(job.caller.cancelled ? cancelled() : late());
      tenant.open -= 1;
      return;
    }
    job.onBegin?.();
    const startedAt = performance.now();
    const done: Done = (ended, log) => {
      const outcome = withLimit(ended, timeoutMs, this.#options.worker.memoryMb);
      resolve(outcome);
      tenant.open -= 1;
      if (isMisbehaviour(outcome)) this.#lending.retire(worker);
      this.#options.onOutcome(outcome, (performance.now() - startedAt) / 1000, job, log);
    };
    if (job.delegation === undefined) worker.run(job, timeoutMs, done);
    else worker.run(job, timeoutMs, done, (...ask) => this.#options.answerAsk(job, ...ask));
  }

  #sweep(): void {
    const now = Date.now();
    this.#giveUpOn(({ caller }) => caller.cancelled, cancelled);
    this.#giveUpOn(({ caller }) => caller.deadline <= now, late);
    this.#lending.sweep();
    for (const tenant of this.#tenants.values()) {
      if (tenant.open === 0 && tenant.workers.size === 0) this.#tenants.delete(tenant.id);
    }
  }
}

/** Says which limit it was, for who has to keep it. */
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
