import ivm from 'isolated-vm';

import { makeSharedCells, places } from '../shared-cells.ts';
import { type StayEndings, type Watch, makeWatch } from './make-watch.ts';

const memoryMb = 8;
const largestNumber = 2 ** 26;
const endings: StayEndings = { timeout: 1, cpu: 2, moved: 3 };
const kinds = ['timeout', 'cpu', 'moved'] as const;

/** Why a stay was ended: its wall time, its processor time, or that the runner wanted its run to begin elsewhere. */
export type StayEnding = (typeof kinds)[number];

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
  readonly #cells: Int32Array<SharedArrayBuffer>;
  readonly #watch: { readonly [Name in keyof Watch]: ivm.Reference<Watch[Name]> };
  #lastIsolate = 0;
  #lastStay = 0;
  #gone: number[] = [];

  constructor({ tickMs, drowsyTicks }: WatchdogPace = defaultPace, cells = makeSharedCells()) {
    this.#cells = cells;
    const context = new ivm.Isolate({ memoryLimit: memoryMb }).createContextSync();
    const parameters = [places, endings, tickMs, drowsyTicks].map((each) => JSON.stringify(each));
    const watch: ivm.Reference<Watch> = context.evalClosureSync(
      `return (${makeWatch.toString()})($0, ${parameters.join(', ')});`,
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
  begin(isolate: number, timeoutMs: number, cpuMs: number, hasEffect: boolean): number {
    const cells = this.#cells;
    this.#lastStay = (this.#lastStay % largestNumber) + 1;
    Atomics.store(cells, places.isolate, isolate);
    Atomics.store(cells, places.cpuLeft, cpuMs);
    Atomics.store(cells, places.endsAt, Date.now() + Math.max(1, timeoutMs));
    Atomics.store(cells, places.stay, 2 * this.#lastStay + (hasEffect ? 1 : 0));
    if (Atomics.load(cells, places.asleep) === 1) this.#wakeUp();
    return this.#lastStay;
  }

  /** The run that stays in an isolate is about to have an effect outside. @returns false when its stay is being ended: it must not. */
  touch(): boolean {
    const untouched = 2 * this.#lastStay;
    const seen = Atomics.compareExchange(this.#cells, places.stay, untouched, untouched + 1);
    return seen === untouched || seen === untouched + 1;
  }

  /** The stay is over. @returns why it was ended; its isolate is disposed then, or about to be. */
  end(stay: number): StayEnding | undefined {
    const cells = this.#cells;
    const seen = Atomics.exchange(cells, places.stay, 0);
    return seen >> 1 === stay ? undefined : kinds[(-seen % 4) - 1];
  }

  #wakeUp(): void {
    Atomics.store(this.#cells, places.asleep, 0);
    Atomics.notify(this.#cells, places.asleep);
  }
}
