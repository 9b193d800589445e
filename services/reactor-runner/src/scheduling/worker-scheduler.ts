import type { WorkerProcess } from '../worker-process/worker-process.ts';
import type { Tenant } from './tenant.ts';
import { WorkerSupervisor, type WorkerSupervisorOptions } from './worker-supervisor.ts';

export interface WorkerSchedulerOptions extends Pick<
  WorkerSupervisorOptions,
  'limits' | 'logger' | 'lastCallsMs' | 'firstSlot'
> {
  /** Workers that serve tenants at once; one more is kept ready. */
  readonly size: number;
  /** All that have runs or workers. */
  tenants(): Iterable<Tenant>;
  /** The tenant has a new worker, or one of its workers has room. */
  onRoom(tenant: Tenant): void;
}

interface Assignment {
  readonly tenant: Tenant;
  /** By performance.now(). */
  readonly since: number;
}

/** A busy worker is taken from its tenant after this time if another tenant waits for its first worker. */
const timeSliceMs = 250;
/** An idle worker is ended after this time. */
const idleMs = 5 * 60_000;

/**
 * Assigns workers to tenants. A worker serves one tenant in its whole life. No tenant can have all workers, or keep one
 * for ever while others have none.
 */
export class WorkerScheduler {
  readonly #options: WorkerSchedulerOptions;
  readonly #supervisor: WorkerSupervisor;
  readonly #assignments = new Map<WorkerProcess, Assignment>();

  constructor(options: WorkerSchedulerOptions) {
    this.#options = options;
    this.#supervisor = new WorkerSupervisor({
      limits: options.limits,
      logger: options.logger,
      lastCallsMs: options.lastCallsMs,
      firstSlot: options.firstSlot,
      onSpare: () => this.assignSpare(),
      onProgress: (worker) => this.#onProgress(worker),
      onLost: (worker) => this.#onLost(worker),
    });
    this.#supervisor.replenish();
  }

  get isReady(): boolean {
    return this.#supervisor.hasSpare || this.#assignments.size > 0;
  }

  /** Workers by state. */
  get counts(): { serving: number; busy: number; retiring: number; living: number } {
    const busy = [...this.#assignments.keys()].filter(({ open }) => open > 0).length;
    return {
      serving: this.#assignments.size,
      busy,
      retiring: this.#supervisor.retiring,
      living: this.#supervisor.size,
    };
  }

  /** Assigns the spare worker to the tenant that has waited longest for its first. */
  assignSpare(): void {
    if (!this.#supervisor.hasSpare) return;
    const tenant = this.#longestWaiting((candidate) => candidate.workers.size === 0);
    if (tenant === undefined) return;
    if (this.#assignments.size < this.#options.size || this.#retireIdle(0)) this.#assignTo(tenant);
  }

  /** The worker takes no more calls. It ends after those it has, or at once when too many workers are retiring. */
  retire(worker: WorkerProcess): void {
    const assignment = this.#assignments.get(worker);
    if (assignment === undefined) return;
    this.#assignments.delete(worker);
    assignment.tenant.workers.delete(worker);
    assignment.tenant.waitingSince = performance.now();
    if (worker.open === 0 || this.#hasRoomToRetire()) this.#supervisor.retire(worker);
    else worker.kill();
    this.assignSpare();
  }

  #hasRoomToRetire(): boolean {
    return this.#supervisor.retiring < this.#options.size || this.#supervisor.endOneRetiring();
  }

  /** Called periodically: enforces limits and rebalances. */
  sweep(): void {
    this.#supervisor.enforceLimits();
    this.#retireIdle(idleMs);
    if (!this.#supervisor.hasSpare) return;
    if (this.#longestWaiting(({ workers }) => workers.size === 0) !== undefined) this.#preempt();
    else this.#assignOneMore();
  }

  close(): Promise<void> {
    return this.#supervisor.close();
  }

  /** A tenant with too few workers gets another, if that leaves one for other tenants. */
  #assignOneMore(): void {
    const share = Math.max(1, this.#options.size - 1);
    const tenant = this.#longestWaiting(({ workers }) => workers.size < share);
    if (tenant !== undefined && this.#assignments.size < this.#options.size) this.#assignTo(tenant);
  }

  #assignTo(tenant: Tenant): void {
    const worker = this.#supervisor.take();
    if (worker === undefined) return;
    const now = performance.now();
    this.#assignments.set(worker, { tenant, since: now });
    tenant.workers.add(worker);
    tenant.waitingSince = now;
    this.#options.onRoom(tenant);
  }

  #longestWaiting(fits: (tenant: Tenant) => boolean): Tenant | undefined {
    let longest: Tenant | undefined;
    for (const tenant of this.#options.tenants()) {
      if (tenant.queued === 0 || !fits(tenant)) continue;
      if (longest === undefined || tenant.waitingSince < longest.waitingSince) longest = tenant;
    }
    return longest;
  }

  /** Retires the worker that has been idle longest, if that is at least `minimumMs`. */
  #retireIdle(minimumMs: number): boolean {
    let found: WorkerProcess | undefined;
    for (const worker of this.#assignments.keys()) {
      if (worker.open === 0 && (found === undefined || worker.lastUsedAt < found.lastUsedAt)) found = worker;
    }
    if (found === undefined || performance.now() - found.lastUsedAt < minimumMs) return false;
    this.retire(found);
    return true;
  }

  /** Takes a worker from the tenant that has most; of these workers, the one that was assigned first. */
  #preempt(): void {
    let found: { worker: WorkerProcess; assignment: Assignment } | undefined;
    for (const [worker, assignment] of this.#assignments) {
      const more = assignment.tenant.workers.size - (found?.assignment.tenant.workers.size ?? 0);
      if (more > 0 || (more === 0 && assignment.since < (found?.assignment.since ?? 0)))
        found = { worker, assignment };
    }
    if (found === undefined || performance.now() - found.assignment.since < timeSliceMs) return;
    // Its calls did nothing wrong, so they are not ended for another tenant's.
    if (found.worker.open === 0 || this.#hasRoomToRetire()) this.retire(found.worker);
  }

  #onProgress(worker: WorkerProcess): void {
    const assignment = this.#assignments.get(worker);
    if (assignment !== undefined) this.#options.onRoom(assignment.tenant);
  }

  #onLost(worker: WorkerProcess): void {
    const assignment = this.#assignments.get(worker);
    if (assignment === undefined) return;
    this.#assignments.delete(worker);
    assignment.tenant.workers.delete(worker);
    this.assignSpare();
  }
}
