import type { WorkerLimits, WorkerProcess } from '../worker-process/worker-process.ts';
import { StallWatch } from './stall-watch.ts';
import type { Tenant } from './tenant.ts';
import { WorkerSupervisor, type WorkerSupervisorOptions } from './worker-supervisor.ts';

export interface WorkerSchedulerOptions extends Pick<
  WorkerSupervisorOptions,
  'limits' | 'logger' | 'lastCallsMs' | 'firstSlot'
> {
  /** Workers that serve tenants at once; one more is kept ready, and some serve code that runs alone. */
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
/** The same for one that serves code that runs alone: it is seldom needed, and starting another takes less. */
const idleApartMs = 10_000;

/**
 * Assigns workers to tenants. A worker serves one tenant in its whole life. No tenant can have all workers, or keep one
 * for ever while others have none. Code that has cost its tenant a worker has a worker of its own, beside the others.
 */
export class WorkerScheduler {
  readonly #options: WorkerSchedulerOptions;
  readonly #supervisor: WorkerSupervisor;
  readonly #stalls = new StallWatch();
  /** Of workers that a tenant's codes share. */
  readonly #assignments = new Map<WorkerProcess, Assignment>();
  /** Of workers that serve a tenant's code that runs alone. */
  readonly #apart = new Map<WorkerProcess, Assignment>();

  constructor(options: WorkerSchedulerOptions) {
    this.#options = options;
    this.#supervisor = new WorkerSupervisor({
      limits: options.limits,
      logger: options.logger,
      lastCallsMs: options.lastCallsMs,
      firstSlot: options.firstSlot,
      onSpare: () => this.assignSpare(),
      onProgress: (worker) => this.#onProgress(worker),
      onHeld: (worker) => this.#onHeld(worker),
      onLost: (worker) => this.#onLost(worker),
    });
    this.#supervisor.replenish();
  }

  get isReady(): boolean {
    return this.#supervisor.hasSpare || this.#assignments.size > 0;
  }

  /** Workers by state. */
  get counts(): { serving: number; apart: number; busy: number; retiring: number; living: number } {
    const all = [...this.#assignments.keys(), ...this.#apart.keys()];
    return {
      serving: this.#assignments.size,
      apart: this.#apart.size,
      busy: all.filter(({ open }) => open > 0).length,
      retiring: this.#supervisor.retiring,
      living: this.#supervisor.size,
    };
  }

  /** Assigns the spare worker to the tenant that has waited longest for its first, or else for one that runs code alone. */
  assignSpare(): void {
    if (!this.#supervisor.hasSpare) return;
    const first = this.#longestWaiting(({ needsWorker }) => needsWorker);
    if (first !== undefined) {
      if (this.#hasRoomFor(first) || this.#retireIdle(0)) this.#assignTo(first);
      return;
    }
    const apart = this.#longestWaiting(({ needsApart }) => needsApart);
    if (apart !== undefined && this.#hasRoomApart()) this.#assignApart(apart);
  }

  /** The worker takes no more calls. It ends after those it has, or at once when too many workers are retiring. */
  retire(worker: WorkerProcess): void {
    const tenant = this.#forget(worker);
    if (tenant === undefined) return;
    tenant.waitingSince = performance.now();
    if (worker.open === 0 || this.#hasRoomToRetire()) this.#supervisor.retire(worker);
    else worker.kill();
    this.assignSpare();
  }

  /** Replaces all workers by such with other limits. Those that have calls end after them. */
  renew(limits: WorkerLimits): void {
    for (const worker of [...this.#assignments.keys(), ...this.#apart.keys()]) {
      const tenant = this.#forget(worker);
      if (tenant !== undefined) tenant.waitingSince = performance.now();
      this.#supervisor.retire(worker);
    }
    this.#supervisor.change(limits);
  }

  #hasRoomToRetire(): boolean {
    return this.#supervisor.retiring < this.#options.size || this.#supervisor.endOneRetiring();
  }

  /** Called every few milliseconds: frees what waits behind code that keeps its worker busy. */
  watch(): void {
    const now = performance.now();
    for (const [worker, { tenant }] of this.#assignments) this.#stalls.look(worker, tenant, now);
    for (const [worker, { tenant }] of this.#apart) this.#stalls.look(worker, tenant, now);
  }

  /** Called periodically: enforces limits and rebalances. */
  sweep(): void {
    this.#supervisor.enforceLimits();
    this.#retireIdle(idleMs);
    this.#retireIdleApart(idleApartMs);
    if (!this.#supervisor.hasSpare) return;
    if (this.#longestWaiting(({ needsWorker, workers }) => needsWorker && workers.size === 0) !== undefined)
      this.#preempt();
    else this.#assignOneMore();
  }

  close(): Promise<void> {
    return this.#supervisor.close();
  }

  /** A tenant with too few workers gets another, if that leaves one for other tenants. */
  #assignOneMore(): void {
    const share = Math.max(1, this.#options.size - 1);
    const tenant = this.#longestWaiting(
      (one) => one.servingWorkers < share && one.next('shared') !== undefined,
    );
    if (tenant !== undefined && this.#hasRoomFor(tenant)) this.#assignTo(tenant);
    else this.assignSpare();
  }

  /** A worker that one code keeps busy serves no other call, so it does not count while another worker may start. */
  #hasRoomFor(tenant: Tenant): boolean {
    if (this.#assignments.size < this.#options.size) return true;
    const held = this.#held;
    const isInstead = [...tenant.workers].some(({ isHeld }) => isHeld);
    return (
      isInstead && this.#assignments.size - held < this.#options.size && this.#apart.size + held <= this.#most
    );
  }

  /** Workers beside `size`, of those that are held and those that serve code that runs alone. */
  get #most(): number {
    return Math.max(1, Math.floor(this.#options.size / 2));
  }

  get #held(): number {
    return [...this.#assignments.keys()].filter(({ isHeld }) => isHeld).length;
  }

  #hasRoomApart(): boolean {
    return this.#apart.size < this.#most || this.#retireIdleApart(0);
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

  #assignApart(tenant: Tenant): void {
    const worker = this.#supervisor.take();
    if (worker === undefined) return;
    this.#apart.set(worker, { tenant, since: performance.now() });
    tenant.apart = worker;
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
    return this.#retireIdleOf(this.#assignments, minimumMs);
  }

  #retireIdleApart(minimumMs: number): boolean {
    return this.#retireIdleOf(this.#apart, minimumMs);
  }

  #retireIdleOf(workers: ReadonlyMap<WorkerProcess, Assignment>, minimumMs: number): boolean {
    let found: WorkerProcess | undefined;
    for (const worker of workers.keys()) {
      if (worker.open === 0 && (found === undefined || worker.lastUsedAt < found.lastUsedAt)) found = worker;
    }
    if (found === undefined || performance.now() - found.lastUsedAt < minimumMs) return false;
    this.#forget(found);
    this.#supervisor.retire(found);
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

  #tenantOf(worker: WorkerProcess): Tenant | undefined {
    return (this.#assignments.get(worker) ?? this.#apart.get(worker))?.tenant;
  }

  /** @returns the tenant that the worker was assigned to */
  #forget(worker: WorkerProcess): Tenant | undefined {
    const tenant = this.#tenantOf(worker);
    if (tenant === undefined) return undefined;
    this.#stalls.forget(worker, tenant);
    this.#assignments.delete(worker);
    tenant.workers.delete(worker);
    if (this.#apart.delete(worker)) tenant.apart = undefined;
    return tenant;
  }

  #onProgress(worker: WorkerProcess): void {
    const tenant = this.#tenantOf(worker);
    if (tenant === undefined) return;
    this.#stalls.onProgress(worker, tenant);
    this.#options.onRoom(tenant);
  }

  #onHeld(worker: WorkerProcess): void {
    const tenant = this.#tenantOf(worker);
    if (tenant === undefined) return;
    this.#stalls.onHeld(worker, tenant);
    this.#options.onRoom(tenant);
    this.assignSpare();
  }

  #onLost(worker: WorkerProcess): void {
    const tenant = this.#forget(worker);
    if (tenant === undefined) return;
    this.#options.onRoom(tenant);
    this.assignSpare();
  }
}
