import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { orders, recordBytes, reports, writeRecord } from '../../worker-protocol/control.ts';
import { places } from '../shared-cells.ts';

const standardOutput = 1;

/**
 * The thread's program. It is given as text, so that nothing has to be read from disk after the process has given up its
 * privileges. It ends this process as soon as its standard input ends, that is when the runner dies, however it dies.
 */
const source = `
  const { readSync, writeSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { cells, places, orders, reports, recordBytes } = workerData;
  const { load, store, compareExchange } = Atomics;
  const record = Buffer.alloc(recordBytes);

  function hold() {
    let begun = load(cells, places.begun);
    while (begun >= 0 && compareExchange(cells, places.begun, begun, -1 - begun) !== begun) {
      begun = load(cells, places.begun);
    }
    look();
    report(reports.held, begun < 0 ? -1 - begun : begun, 0, 0);
  }

  function look() {
    const stay = load(cells, places.stay);
    const [call, left] = [load(cells, places.call), load(cells, places.cpuLeft)];
    const isSame = stay > 0 && load(cells, places.stay) >> 1 === stay >> 1;
    report(reports.busy, isSame ? call : 0, stay >> 1, left);
  }

  function report(...numbers) {
    numbers.forEach((number, place) => record.writeInt32LE(number, 4 * place));
    writeSync(${standardOutput}, record);
  }

  function obey(order, stay) {
    if (order === orders.hold) hold();
    if (order === orders.move) store(cells, places.unwanted, stay);
    if (order === orders.end) store(cells, places.unwanted, -stay);
    if (order === orders.look) look();
  }

  parentPort.postMessage('waiting');
  try {
    for (let at = 0; ; ) {
      const bytes = readSync(0, record, at, recordBytes - at);
      if (bytes === 0) break;
      at = (at + bytes) % recordBytes;
      if (at === 0) obey(record.readInt32LE(0), record.readInt32LE(4));
    }
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
`;

/** The worker's side of what the runner orders while code keeps the main thread busy. */
export class Control {
  readonly #cells: Int32Array<SharedArrayBuffer>;

  constructor(cells: Int32Array<SharedArrayBuffer>) {
    this.#cells = cells;
  }

  /** Starts the thread that hears the runner, and waits until it does. */
  async start(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    const workerData = { cells: this.#cells, places, orders, reports, recordBytes };
    const thread = new Worker(source, { eval: true, env: {}, execArgv: [], workerData });
    thread.once('message', () => waiting.resolve());
    thread.once('error', waiting.reject);
    await waiting.promise;
  }

  /** @returns false when the runner has taken the call back: it must not begin */
  begin(callId: number): boolean {
    const before = Atomics.load(this.#cells, places.begun);
    return before >= 0 && Atomics.compareExchange(this.#cells, places.begun, before, callId) === before;
  }

  /** Calls may begin again. */
  proceed(): void {
    const before = Atomics.load(this.#cells, places.begun);
    if (before < 0) Atomics.store(this.#cells, places.begun, -1 - before);
  }

  /** Reports to the runner synchronously: the process may end at any moment, before the channel delivers the report. */
  reportEffect(callId: number): void {
    writeSync(standardOutput, writeRecord(reports.effect, callId));
  }
}
