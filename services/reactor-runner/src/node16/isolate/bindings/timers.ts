import type { Immediate } from '../node-internals.ts';
import type { Scope } from '../scope.ts';

export interface TimersBinding {
  readonly setupTimers: (processImmediate: () => void, processTimers: (now: number) => number) => void;
  /**
   * Runs the timers that are due. @returns false when there are none. What a callback throws is thrown on; the rest is
   * then run by the next call.
   */
  readonly runTimers: () => boolean;
  /** The same for the immediates. */
  readonly runImmediates: () => boolean;
  /** Asks for the next call. @param soon there may be something to do beside timers and immediates. */
  readonly armNext: (soon: boolean) => void;
  /** Forgets every timer and immediate. */
  readonly clear: () => void;
}

/** `internalBinding('timers')`: all timers and immediates of the isolate share one timer of the host's. */
export function timersBinding({ arm, load }: Scope): TimersBinding {
  const { now } = Date;
  const startedAt = now();
  const immediateInfo = new Uint32Array(3);
  let processImmediate = () => {};
  let processTimers: (now: number) => number = () => 0;
  let dueAt = Infinity;
  const libuvNow = () => Math.max(1, now() - startedAt);

  /** Where the library is in a round of immediates that was broken off, if it is in one. */
  const inRound = () => immediateInfo[2] === 1;
  const hasImmediates = () => immediateInfo[0]! > 0 || inRound();
  /** The first of the round, with all others behind it. */
  let round: Immediate | null = null;

  function armNext(soon: boolean): void {
    if (soon || hasImmediates() || libuvNow() >= dueAt) arm(0);
    else if (dueAt < Infinity) arm(dueAt - libuvNow());
  }

  const binding = {
    immediateInfo,
    scheduleTimer(delayMs: number) {
      dueAt = libuvNow() + Math.max(1, delayMs);
      armNext(false);
    },
    toggleTimerRef() {},
    toggleImmediateRef(on: boolean) {
      if (on) arm(0);
    },
    getLibuvNow: libuvNow,
    setupTimers(immediate: () => void, timers: (now: number) => number) {
      processImmediate = immediate;
      processTimers = timers;
    },
    clear() {
      // As a rule there is nothing: each run pays for what is done here.
      if (dueAt === Infinity && !hasImmediates()) return;
      clearTimers(load);
      // The library itself keeps when the next is due.
      processTimers(libuvNow());
      dueAt = Infinity;
      // Only the library can reach the rest of a round, so it is processed there.
      for (let left = round; left !== null; left = left._idleNext) left._onImmediate = () => {};
      round = null;
      while (inRound()) {
        try {
          processImmediate();
        } catch {
          // It stops after each, for what process.nextTick has put off.
        }
      }
    },
    runTimers() {
      if (libuvNow() < dueAt) return false;
      dueAt = 0;
      const next = processTimers(libuvNow());
      // Negative: no timer that is left keeps a process alive.
      dueAt = next === 0 ? Infinity : Math.abs(next);
      return true;
    },
    runImmediates() {
      if (!hasImmediates()) return false;
      if (!inRound()) round = load('internal/timers').immediateQueue.head;
      processImmediate();
      round = null;
      return true;
    },
    armNext,
  };
  return binding;
}

export function clearTimers(load: Scope['load']): void {
  const { clearTimeout, clearImmediate } = load('timers');
  const { timerListMap, timerListQueue, immediateQueue } = load('internal/timers');
  for (const list of Object.values(timerListMap)) {
    while (list._idlePrev !== list) clearTimeout(list._idlePrev);
  }
  // The library keeps an empty list of timers that were unref'd, and takes it for the next that is due.
  while (timerListQueue.peek() !== undefined) delete timerListMap[timerListQueue.shift().msecs];
  while (immediateQueue.head !== null) clearImmediate(immediateQueue.head);
}
