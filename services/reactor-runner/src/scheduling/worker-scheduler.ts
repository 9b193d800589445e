import type { WorkerProcess } from '../worker-process/worker-process.ts';
import type { Tenant } from './tenant.ts';
import { Fleet, type FleetOptions } from './worker-supervisor.ts';

export interface LendingOptions extends Pick<
  FleetOptions,
  'limits' | 'logger' | 'lastCallsMs' | 'firstSlot'
> {
  /** Workers that serve tenants at once; one more is kept ready. */
  readonly size: number;
  /** All that have jobs or workers. */
  tenants(): Iterable<Tenant>;
  /** The tenant has a new worker, or one of its workers has room. */
  onRoom(tenant: Tenant): void;
}

interface Loan {
  readonly tenant: Tenant;
  /** By performance.now(). */
  readonly since: number;
}

/** A worker that is always busy is taken from its tenant after this, if another tenant waits for its first. */
const turnMs = 250;
/** A worker that has had nothing to do for this long is ended. */
const idleMs = 5 * 60_000;

/**
 * Decides which tenant has which worker. A worker serves one tenant in its whole life. No tenant can have all
 * workers, nor keep one for ever while others have none.
 */
export class Lending {
  readonly #options: LendingOptions;
  readonly #fleet: Fleet;
  readonly #loans = new Map<WorkerProcess, Loan>();

  constructor(options: LendingOptions) {
    this.#options = options;
    this.#fleet = new Fleet({
      limits: options.limits,
      logger: options.logger,
      lastCallsMs: options.lastCallsMs,
      firstSlot: options.firstSlot,
      onSpare: () => this.lend(),
      onProgress: (worker) => this.#onProgress(worker),
      onLost: (worker) => this.#onLost(worker),
    });
    this.#fleet.replenish();
  }

  get isReady(): boolean {
    return this.#fleet.hasSpare || this.#loans.size > 0;
  }

  /** Workers by what they do. */
  get counts(): { serving: number; busy: number; retiring: number; living: number } {
    const busy = [...this.#loans.keys()].filter(({ open }) => open > 0).length;
    return { serving: this.#loans.size, busy, retiring: this.#fleet.retiring, living: this.#fleet.size };
  }

  /** Gives the spare worker to the tenant that has waited for its first for the longest. */
  lend(): void {
    if (!this.#fleet.hasSpare) return;
    const tenant = this.#longestWaiting((candidate) => candidate.workers.size === 0);
    if (tenant === undefined) return;
    if (this.#loans.size < this.#options.size || this.#retireAnIdleOne(0)) this.#lendTo(tenant);
  }

  /** The worker gets no more calls; it ends when those that are in it have, or at once when there is no room for it. */
  retire(worker: WorkerProcess): void {
    const loan = this.#loans.get(worker);
    if (loan === undefined) return;
    this.#loans.delete(worker);
    loan.tenant.workers.delete(worker);
    loan.tenant.waitingSince = performance.now();
    if (worker.open === 0 || this.#hasRoomToRetire()) this.#fleet.retire(worker);
    else worker.kill();
    this.lend();
  }

  #hasRoomToRetire(): boolean {
    return this.#fleet.retiring < this.#options.size || this.#fleet.endOneRetiring();
  }

  /** To be called every now and then. */
  sweep(): void {
    this.#fleet.enforceLimits();
    this.#retireAnIdleOne(idleMs);
    if (!this.#fleet.hasSpare) return;
    if (this.#longestWaiting(({ workers }) => workers.size === 0) !== undefined) this.#endATurn();
    else this.#lendOneMore();
  }

  close(): Promise<void> {
    return this.#fleet.close();
  }

  /** A tenant whose workers are not enough gets another, if that leaves one for somebody else. */
  #lendOneMore(): void {
    const share = Math.max(1, this.#options.size - 1);
    const tenant = this.#longestWaiting(({ workers }) => workers.size < share);
    if (tenant !== undefined && this.#loans.size < this.#options.size) this.#lendTo(tenant);
  }

  #lendTo(tenant: Tenant): void {
    const worker = this.#fleet.take();
    if (worker === undefined) return;
    const now = performance.now();
    this.#loans.set(worker, { tenant, since: now });
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

  /** Retires the worker that has been idle for the longest, if that is longer than `minimumMs`. */
  #retireAnIdleOne(minimumMs: number): boolean {
    let found: WorkerProcess | undefined;
    for (const worker of this.#loans.keys()) {
      if (worker.open === 0 && (found === undefined || worker.lastUsedAt < found.lastUsedAt)) found = worker;
    }
    if (found === undefined || performance.now() - found.lastUsedAt < minimumMs) return false;
    this.retire(found);
    return true;
  }

  /** Takes a worker from whom has the most, and of those the one that was lent first. */
  #endATurn(): void {
    let found: { worker: WorkerProcess; loan: Loan } | undefined;
    for (const [worker, loan] of this.#loans) {
      const more = loan.tenant.workers.size - (found?.loan.tenant.workers.size ?? 0);
      if (more > 0 || (more === 0 && loan.since < (found?.loan.since ?? 0))) found = { worker, loan };
    }
    if (found === undefined || performance.now() - found.loan.since < turnMs) return;
    // Its calls did nothing wrong: they are not ended for somebody else's.
    if (found.worker.open === 0 || this.#hasRoomToRetire()) this.retire(found.worker);
  }

  #onProgress(worker: WorkerProcess): void {
    const loan = this.#loans.get(worker);
    if (loan !== undefined) this.#options.onRoom(loan.tenant);
  }

  #onLost(worker: WorkerProcess): void {
    const loan = this.#loans.get(worker);
    if (loan === undefined) return;
    this.#loans.delete(worker);
    loan.tenant.workers.delete(worker);
    this.lend();
  }
}
