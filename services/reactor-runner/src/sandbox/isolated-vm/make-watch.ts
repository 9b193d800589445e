/** Places of what the worker and its watchdog share, each an integer. */
export interface WatchCells {
  /** Number of the stay that goes on; 0: none; less than 0: the one that the watchdog ends. */
  readonly stay: number;
  /** When it is to be over: the lower 32 bits of Date.now(). */
  readonly endsAt: number;
  /** In which isolate it is. */
  readonly isolate: number;
  /** 1: the watchdog is to let the worker in. */
  readonly called: number;
  /** 1: the watchdog looks at nothing until it is woken up. */
  readonly asleep: number;
}

export interface Watch {
  /** @param gone numbers of isolates that are not to be watched any more. */
  add(number: number, isolate: Disposable, gone: readonly number[]): void;
  /** Watches until it is called. */
  watch(): void;
}

interface Disposable {
  dispose(): void;
}

/**
 * What the watchdog's isolate runs, on a thread of its own. It goes there as source text, so it uses nothing
 * but its parameters and the language.
 * @param tickMs see WatchdogPace, as for the next.
 */
export function makeWatch(
  memory: SharedArrayBuffer,
  places: WatchCells,
  tickMs: number,
  drowsyTicks: number,
): Watch {
  const { load, store, wait, compareExchange } = Atomics;
  const cells = new Int32Array(memory);
  const isolates = new Map<number, Disposable>();

  function add(number: number, isolate: Disposable, gone: readonly number[]): void {
    for (const one of gone) isolates.delete(one);
    isolates.set(number, isolate);
  }

  function watch(): void {
    let quiet = 0;
    while (load(cells, places.called) === 0) {
      const stay = load(cells, places.stay);
      quiet = stay === 0 ? quiet + 1 : 0;
      if (stay > 0) endIfLate(stay);
      if (quiet > drowsyTicks) sleep();
      else wait(cells, places.called, 0, tickMs);
    }
  }

  function endIfLate(stay: number): void {
    const isolate = load(cells, places.isolate);
    // The difference of two such numbers is right even where one of them has begun anew.
    if (((load(cells, places.endsAt) - Date.now()) | 0) > 0) return;
    // From here on it is the worker that must not take it for one that has ended by itself.
    if (compareExchange(cells, places.stay, stay, -stay) !== stay) return;
    try {
      isolates.get(isolate)?.dispose();
    } catch {
      // The worker has been quicker.
    }
    isolates.delete(isolate);
  }

  function sleep(): void {
    store(cells, places.asleep, 1);
    // A stay that began before this was stored wakes nothing up.
    if (load(cells, places.stay) === 0 && load(cells, places.called) === 0) wait(cells, places.asleep, 1);
    store(cells, places.asleep, 0);
  }

  return { add, watch };
}
