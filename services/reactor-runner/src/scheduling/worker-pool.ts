import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { UserCodeFiles } from '../node16/library/user-code-files.ts';
import type { AnswerBtRequest } from '../worker-process/call-bt-requests.ts';
import { keyOf } from '../worker-process/code-table.ts';
import type { Done } from '../worker-process/worker-calls.ts';
import type { WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { type Outcome, type Unfinished, isMisbehaviour } from '../worker-protocol/outcome.ts';
import { cancelled, late, stopping, tooMany } from './refusals.ts';
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
  /** A run begins in another worker than the first. */
  readonly onAgain: (cause: AgainCause) => void;
}

/** It waited behind code that held its worker; it was long, and alone from now on; or its worker ended for another run. */
export type AgainCause = 'held_up' | 'moved' | 'worker_lost';

const sweepMs = 100;
/** How often workers are looked at for code that holds them up. */
const watchMs = 25;
/** Code that runs alone and takes no longer than this may run beside others again, unless it has cost a worker. */
const briskMs = 500;
/** Code that has cost a worker may have this share of its tenant's runs waiting. */
const offenderShare = 0.1;

/** Runs tenants' code in worker processes. Each process serves one tenant (worker-scheduler.ts). */
export class WorkerPool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #tenants = new Map<string, Tenant>();
  readonly #scheduler: WorkerScheduler;
  readonly #sweeper: NodeJS.Timeout;
  readonly #watch: NodeJS.Timeout;
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
    this.#watch = setInterval(() => this.#scheduler.watch(), watchMs);
  }

  /** Whether at least one worker is ready, in use or not. */
  get isReady(): boolean {
    return this.#scheduler.isReady;
  }

  /** Workers by state, and runs that wait. */
  get counts(): {
    serving: number;
    apart: number;
    busy: number;
    retiring: number;
    living: number;
    queued: number;
    quarantined: number;
  } {
    let quarantined = 0;
    for (const { conduct } of this.#tenants.values()) quarantined += conduct.quarantined;
    return { ...this.#scheduler.counts, queued: this.#queued, quarantined };
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
      const isDirect = tenant.queued === 0 && tenant.conduct.laneOf(keyOf(run)) === 'shared';
      const worker = isDirect ? tenant.workerFor(waiting) : undefined;
      if (worker !== undefined) return this.#send(tenant, worker, waiting);
      this.#wait(tenant, waiting);
      if (!isDirect || (run.depth ?? 0) > 0) this.#serve(tenant);
      if (tenant.needsWorker || tenant.needsApart) this.#scheduler.assignSpare();
    });
  }

  /** All runs that begin from now on have these files. */
  renew(files: UserCodeFiles): void {
    this.#scheduler.renew({ ...this.#options.worker, ...files });
  }

  /** Ends all workers; their runs and the waiting ones fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    clearInterval(this.#watch);
    this.#giveUpOn(() => true, stopping);
    await this.#scheduler.close();
  }

  #refusalOf(tenant: Tenant, run: CodeRun): AppError | undefined {
    if (this.#closed) return stopping();
    if (tenant.open >= this.#options.runsPerTenant && !this.#makeRoom(tenant, keyOf(run))) return tooMany();
    if (tenant.conduct.isOffender(keyOf(run)) && this.#isCrowded(tenant, keyOf(run))) return tooMany();
    if (this.#queued > 0 && this.#queuedBytes + run.argument.length > this.#options.queuedBytes) {
      return new AppError('unavailable', 'Too many requests are waiting already.');
    }
    return undefined;
  }

  /** A code of which most of a tenant's runs wait gives one up for another code of the tenant. @returns whether it did */
  #makeRoom(tenant: Tenant, code: string): boolean {
    const last = tenant.lastOfMost();
    if (last === undefined || keyOf(last.run) === code) return false;
    if (tenant.queuedOf(keyOf(last.run)) <= this.#options.runsPerTenant / 2) return false;
    this.#giveUp(tenant, last, tooMany());
    return true;
  }

  #giveUpLast(tenant: Tenant, code: string): void {
    const last = tenant.lastOf(code);
    if (last !== undefined) this.#giveUp(tenant, last, tooMany());
  }

  #isCrowded(tenant: Tenant, code: string): boolean {
    return tenant.queuedOf(code) > offenderShare * this.#options.runsPerTenant;
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
    if (tenant.queued === 0) return;
    for (let waiting = tenant.next('shared'); waiting !== undefined; waiting = tenant.next('shared')) {
      const worker = tenant.workerFor(waiting);
      if (worker === undefined) break;
      this.#take(tenant, worker, waiting);
    }
    // One that was late is refused, and leaves the worker free.
    while (tenant.freeApart !== undefined) {
      const waiting = tenant.next('apart');
      if (waiting === undefined) return;
      this.#take(tenant, tenant.freeApart, waiting);
    }
  }

  #take(tenant: Tenant, worker: WorkerProcess, waiting: QueuedRun): void {
    tenant.drop(waiting);
    this.#unqueued(waiting);
    this.#send(tenant, worker, waiting);
  }

  #send(tenant: Tenant, worker: WorkerProcess, waiting: QueuedRun): void {
    const { run, reject, isAgain = false, isRerun = false } = waiting;
    const timeoutMs = Math.min(this.#options.wallMs, run.lifetime.deadline - Date.now());
    if (timeoutMs <= 0 || run.lifetime.cancelled) {
      reject(run.lifetime.cancelled ? cancelled() : late());
      tenant.open -= 1;
      return;
    }
    if (!isAgain) run.onBegin?.();
    const startedAt = performance.now();
    const done: Done = (ended, log, heldKb) => {
      const isUnwanted = ended.kind === 'cpu' && run.lifetime.cancelled;
      const known: Outcome | Unfinished = isUnwanted ? { kind: 'cancelled' } : ended;
      const outcome = known.kind === 'unfinished' ? this.#again(tenant, waiting, known) : known;
      if (outcome === undefined) return;
      const seconds = (performance.now() - startedAt) / 1000;
      run.onEnd?.({ seconds, log, heldKb });
      this.#end(tenant, worker, waiting, withLimit(outcome, timeoutMs, this.#options.worker), seconds, log);
    };
    const { delegation } = run;
    const isMovable = !isRerun && worker !== tenant.apart;
    if (delegation === undefined) worker.run(run, timeoutMs, isMovable, done);
    else
      worker.run(run, timeoutMs, isMovable, done, (...request) =>
        this.#options.answerBtRequest(run, delegation, ...request),
      );
  }

  /** Lets the run begin in another worker. @returns how it has ended when it may not */
  #again(
    tenant: Tenant,
    waiting: QueuedRun,
    { hasBegun, isSuspect, wasMoved }: Unfinished,
  ): Outcome | undefined {
    if (isSuspect) tenant.conduct.isDoubtful(keyOf(waiting.run));
    if (hasBegun && waiting.isRerun === true) return { kind: isSuspect ? 'crashed' : 'worker_lost' };
    waiting.isAgain = true;
    if (hasBegun) waiting.isRerun = true;
    this.#options.onAgain(hasBegun ? (wasMoved ? 'moved' : 'worker_lost') : 'held_up');
    this.#wait(tenant, waiting);
    return undefined;
  }

  #end(
    tenant: Tenant,
    worker: WorkerProcess,
    { run, resolve }: QueuedRun,
    outcome: Outcome,
    seconds: number,
    log: Buffer | undefined,
  ): void {
    resolve(outcome);
    tenant.open -= 1;
    const code = keyOf(run);
    if (costsWorker(outcome)) {
      tenant.conduct.offends(code);
      while (this.#isCrowded(tenant, code)) this.#giveUpLast(tenant, code);
      this.#scheduler.retire(worker);
    } else if (worker === tenant.apart && seconds * 1000 < briskMs) {
      tenant.conduct.behaves(code);
    }
    this.#options.onOutcome(outcome, seconds, run, log);
  }

  #sweep(): void {
    const now = Date.now();
    this.#giveUpOn(({ lifetime }) => lifetime.cancelled, cancelled);
    this.#giveUpOn(({ lifetime }) => lifetime.deadline <= now, late);
    for (const { conduct } of this.#tenants.values()) conduct.sweep(performance.now());
    this.#scheduler.sweep();
    for (const tenant of this.#tenants.values()) {
      const isIdle = tenant.open === 0 && tenant.workers.size === 0 && tenant.apart === undefined;
      if (isIdle && !tenant.conduct.isKnown) this.#tenants.delete(tenant.id);
    }
  }
}

/** Adds the limit that was exceeded. */
function withLimit(outcome: Outcome, wallMs: number, { cpuMs, memoryMb }: WorkerLimits): Outcome {
  if (outcome.kind === 'timeout') return { limitMs: wallMs, ...outcome };
  if (outcome.kind === 'cpu') return { limitMs: cpuMs, ...outcome };
  return outcome.kind === 'memory' ? { limitMb: memoryMb, ...outcome } : outcome;
}

/** Code that only waited too long, e.g. for a server, has held no thread: its isolate is enough to end. */
function costsWorker(outcome: Outcome): boolean {
  return isMisbehaviour(outcome) && !(outcome.kind === 'timeout' && outcome.wasWaiting === true);
}
