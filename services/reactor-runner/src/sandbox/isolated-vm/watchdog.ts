import ivm from 'isolated-vm';

import { type Watch, type WatchCells, makeWatch } from './make-watch.ts';

const places: WatchCells = { stay: 0, endsAt: 1, isolate: 2, called: 3, asleep: 4 };
const memoryMb = 8;
const largestNumber = 2 ** 30;

export interface WatchdogPace {
  /** User code is stopped up to this much late; far below what the runner waits (worker-process/worker-calls.ts). */
  readonly tickMs: number;
  /** After so many ticks with nothing to watch it sleeps. */
  readonly drowsyTicks: number;
}

const defaultPace: WatchdogPace = { tickMs: 20, drowsyTicks: 50 };

/**
 * Ends the stay in an isolate that takes too long, from a thread of its own: the worker's only thread is in that isolate
 * then. A stay costs it nothing but a few stores (docs/adr/0047).
 */
export class Watchdog {
  readonly #cells = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * 8));
  readonly #watch: { readonly [Name in keyof Watch]: ivm.Reference<Watch[Name]> };
  #lastIsolate = 0;
  #lastStay = 0;
  #gone: number[] = [];

  constructor({ tickMs, drowsyTicks }: WatchdogPace = defaultPace) {
    const context = new ivm.Isolate({ memoryLimit: memoryMb }).createContextSync();
    const watch: ivm.Reference<Watch> = context.evalClosureSync(
      `return (${makeWatch.toString()})($0, ${JSON.stringify(places)}, ${tickMs}, ${drowsyTicks});`,
      [new ivm.ExternalCopy(this.#cells.buffer).copyInto({ release: true })],
      { result: { reference: true } },
    );
    this.#watch = {
      add: watch.getSync('add', { reference: true }),
      watch: watch.getSync('watch', { reference: true }),
    };
  }

  /** From now on stays in the isolate can be watched. @returns the number by which they are. */
  add(isolate: ivm.Isolate): number {
    this.#lastIsolate = (this.#lastIsolate % largestNumber) + 1;
    const gone = new ivm.ExternalCopy(this.#gone).copyInto({ release: true });
    this.#gone = [];
    Atomics.store(this.#cells, places.called, 1);
    Atomics.notify(this.#cells, places.called);
    this.#wakeUp();
    this.#watch.add.applySync(undefined, [this.#lastIsolate, isolate, gone] as never);
    Atomics.store(this.#cells, places.called, 0);
    // Without it nothing would end a loop but the runner: a rejection ends the worker (endOnError).
    void this.#watch.watch.apply(undefined, []);
    return this.#lastIsolate;
  }

  /** @param isolate by its number: it has been disposed. */
  remove(isolate: number): void {
    this.#gone.push(isolate);
  }

  /** A stay in an isolate begins; there is one at a time. @returns its number. */
  begin(isolate: number, timeoutMs: number): number {
    const cells = this.#cells;
    this.#lastStay = (this.#lastStay % largestNumber) + 1;
    Atomics.store(cells, places.isolate, isolate);
    Atomics.store(cells, places.endsAt, Date.now() + Math.max(1, timeoutMs));
    Atomics.store(cells, places.stay, this.#lastStay);
    if (Atomics.load(cells, places.asleep) === 1) this.#wakeUp();
    return this.#lastStay;
  }

  /** The stay is over. @returns whether it was ended, and its isolate is disposed or about to be. */
  end(stay: number): boolean {
    if (Atomics.compareExchange(this.#cells, places.stay, stay, 0) === stay) return false;
    Atomics.store(this.#cells, places.stay, 0);
    return true;
  }

  #wakeUp(): void {
    Atomics.store(this.#cells, places.asleep, 0);
    Atomics.notify(this.#cells, places.asleep);
  }
}
