import { mainThreadMs } from '../worker-process/process-usage.ts';
import type { Holder } from '../worker-process/worker-calls.ts';
import type { WorkerProcess } from '../worker-process/worker-process.ts';
import type { Tenant } from './tenant.ts';

/** A worker that is silent for this long is looked at, and held when others wait for it. */
const silentMs = 100;
/** Processor time after which it is held too when nothing waits: it is at work, and does not just wait for something. */
const workingMs = 50;
/**
 * After this much processor time code that holds up other code is moved, if it has had no effect outside. That is several
 * times what it takes to load the largest packages, and leaves as much again for those that waited.
 */
const moveMs = 400;
/** The thread that answers has nothing else to do: a process in which it does not is stopped or lost. */
const answerMs = 3000;
/** How often a held worker is asked what it is busy with. */
const lookMs = 100;
/** The watchdog ends a stay within 20 ms of the order to do so. After this much longer it cannot. */
const graceMs = 500;

interface Stall {
  heldAt: number | undefined;
  lookedAt: number;
  /** It has been held, and has answered. */
  hasAnswered: boolean;
  /** What the processor time below is of. */
  holder: Holder | undefined;
  /** Of the worker's main thread, in milliseconds. */
  cpuBefore: number;
  isMoved: boolean;
  isEnded: boolean;
}

/** Looks for workers that one run keeps from their other calls, frees those, and ends runs that use too much processor time. */
export class StallWatch {
  readonly #stalls = new Map<WorkerProcess, Stall>();

  /** @param now by performance.now() */
  look(worker: WorkerProcess, tenant: Tenant, now: number): void {
    const stall = this.#stalls.get(worker);
    if (worker.silentMs(now) < silentMs && !worker.isHeld) {
      if (stall !== undefined) this.#stalls.delete(worker);
    } else if (stall === undefined) {
      this.#begin(worker, tenant, now);
    } else if (stall.heldAt === undefined) {
      if (isStalled(worker, tenant, stall)) hold(worker, stall, now);
    } else {
      follow(worker, tenant, stall, stall.heldAt, now);
    }
  }

  onHeld(worker: WorkerProcess, tenant: Tenant): void {
    const stall = this.#stalls.get(worker);
    if (stall !== undefined) stall.hasAnswered = true;
    if (worker.holder !== undefined) tenant.conduct.holds(worker, worker.holder.call.code);
  }

  onProgress(worker: WorkerProcess, tenant: Tenant): void {
    tenant.conduct.goesOn(worker);
    if (!worker.isHeld && this.#stalls.size > 0) this.#stalls.delete(worker);
  }

  forget(worker: WorkerProcess, tenant: Tenant): void {
    tenant.conduct.goesOn(worker);
    this.#stalls.delete(worker);
  }

  #begin(worker: WorkerProcess, tenant: Tenant, now: number): void {
    const cpuBefore = mainThreadMs(worker.pid) ?? 0;
    const fresh = { heldAt: undefined, lookedAt: now, hasAnswered: false, holder: undefined, cpuBefore };
    const stall: Stall = { ...fresh, isMoved: false, isEnded: false };
    this.#stalls.set(worker, stall);
    if (isStalled(worker, tenant, stall)) hold(worker, stall, now);
  }
}

/** It should be at work for others, or is at work without a word. */
function isStalled(worker: WorkerProcess, tenant: Tenant, { cpuBefore }: Stall): boolean {
  if (worker.running > 1 || (worker.running === 1 && (tenant.queued > 0 || worker.open > 1))) return true;
  return (mainThreadMs(worker.pid) ?? 0) - cpuBefore >= workingMs;
}

function hold(worker: WorkerProcess, stall: Stall, now: number): void {
  stall.heldAt = now;
  worker.hold();
}

function follow(worker: WorkerProcess, tenant: Tenant, stall: Stall, heldAt: number, now: number): void {
  if (!stall.hasAnswered) {
    if (now - heldAt > answerMs) worker.kill();
    return;
  }
  if (now - stall.lookedAt >= lookMs) {
    stall.lookedAt = now;
    worker.look();
  }
  const { holder } = worker;
  const cpu = mainThreadMs(worker.pid) ?? 0;
  if (holder?.stay !== stall.holder?.stay) {
    // The time before the first answer counts, since the worker was silent all the while.
    if (stall.holder !== undefined) stall.cpuBefore = cpu;
    Object.assign(stall, { holder, isMoved: false, isEnded: false });
  }
  if (holder !== undefined) endIfDue(worker, tenant, stall, holder, cpu - stall.cpuBefore);
}

/** @param used milliseconds of processor time */
function endIfDue(worker: WorkerProcess, tenant: Tenant, stall: Stall, holder: Holder, used: number): void {
  const { isMovable, hasEffect, lifetime } = holder.call;
  if (used > holder.cpuMs + graceMs) {
    worker.endBy({ kind: 'cpu' });
  } else if (!stall.isEnded && (used > holder.cpuMs || lifetime?.cancelled === true)) {
    stall.isEnded = true;
    worker.endHolder('end', holder);
  } else if (stall.isMoved || used < moveMs || !isMovable || hasEffect) {
    return;
  } else if (worker.holdsUpOthers || tenant.needsWorker) {
    stall.isMoved = true;
    worker.endHolder('move', holder);
  }
}
