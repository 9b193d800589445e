/** Places of what the worker's threads share, each an integer. */
export interface WatchCells {
  /** The stay that goes on, as `stayOf` makes it; 0: none; less than 0: the one that the watchdog ends, as `takenAs` makes it. */
  readonly stay: number;
  /** When it is to be over: the lower 32 bits of Date.now(). */
  readonly endsAt: number;
  /** In which isolate it is. */
  readonly isolate: number;
  /** 1: the watchdog is to let the worker in. */
  readonly called: number;
  /** 1: the watchdog looks at nothing until it is woken up. */
  readonly asleep: number;
  /** The number of the stay that the runner wants to end and begin elsewhere; less than 0: the one that is over its processor time. */
  readonly unwanted: number;
}

/** Why the watchdog ends a stay. */
export interface StayEndings {
  readonly timeout: number;
  readonly cpu: number;
  /** It has had no effect outside, and the run is to begin elsewhere. */
  readonly moved: number;
}

export interface Watch {
  /** @param gone numbers of isolates that are not to be watched any more. */
  add(number: number, isolate: Watched, gone: readonly number[]): void;
  /** Watches until it is called. */
  watch(): void;
}

interface Watched {
  dispose(): void;
}

/**
 * What the watchdog's isolate runs, on a thread of its own. It goes there as source text, so it uses nothing
 * but its parameters and the language. A stay is its number and one bit: whether its run has had an effect outside.
 * @param tickMs see WatchdogPace, as for the next.
 */
// It goes there as one text.
// oxlint-disable-next-line max-lines-per-function
export function makeWatch(
  memory: SharedArrayBuffer,
  places: WatchCells,
  endings: StayEndings,
  tickMs: number,
  drowsyTicks: number,
): Watch {
  const { load, store, wait, compareExchange } = Atomics;
  const cells = new Int32Array(memory);
  const isolates = new Map<number, Watched>();

  function add(number: number, isolate: Watched, gone: readonly number[]): void {
    for (const one of gone) isolates.delete(one);
    isolates.set(number, isolate);
  }

  function watch(): void {
    let quiet = 0;
    while (load(cells, places.called) === 0) {
      const stay = load(cells, places.stay);
      quiet = stay === 0 ? quiet + 1 : 0;
      if (stay > 0) look(stay >> 1);
      if (quiet > drowsyTicks) sleep();
      else wait(cells, places.called, 0, tickMs);
    }
  }

  function look(stay: number): void {
    const isolate = load(cells, places.isolate);
    const unwanted = load(cells, places.unwanted);
    // The difference of two such numbers is right even where one of them has begun anew.
    if (((load(cells, places.endsAt) - Date.now()) | 0) <= 0) end(stay, isolate, endings.timeout);
    else if (unwanted === stay) end(stay, isolate, endings.moved);
    else if (unwanted === -stay) end(stay, isolate, endings.cpu);
  }

  function end(stay: number, isolate: number, ending: number): void {
    // From here on it is the worker that must not take it for one that has ended by itself.
    if (!take(stay, ending)) return;
    try {
      isolates.get(isolate)?.dispose();
    } catch {
      // The worker has been quicker.
    }
    isolates.delete(isolate);
  }

  /** A stay whose run has had an effect is never moved: it could have that effect twice. */
  function take(stay: number, ending: number): boolean {
    const untouched = 2 * stay;
    if (compareExchange(cells, places.stay, untouched, -4 * untouched - ending) === untouched) return true;
    if (ending === endings.moved) return false;
    const touched = untouched + 1;
    return compareExchange(cells, places.stay, touched, -4 * touched - ending) === touched;
  }

  function sleep(): void {
    store(cells, places.asleep, 1);
    // A stay that began before this was stored wakes nothing up.
    if (load(cells, places.stay) === 0 && load(cells, places.called) === 0) wait(cells, places.asleep, 1);
    store(cells, places.asleep, 0);
  }

  return { add, watch };
}
