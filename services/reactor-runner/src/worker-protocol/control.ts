/**
 * Short records beside the channel, on the standard input and output of a worker. A thread of its own reads them there, so
 * that the runner is heard while code keeps the worker's main thread busy. Each is a type and three numbers.
 */
export const orders = {
  /** No further call begins until `proceed` comes by the channel. Answered by `held`. */
  hold: 1,
  /** Ends the stay of this number, unless its run has had an effect outside: the run is to begin elsewhere. */
  move: 2,
  /** Ends the stay of this number: it has used too much processor time. */
  end: 3,
  /** Answered by `busy`. */
  look: 4,
} as const;

export const reports = {
  /** The last call that has begun. `busy` comes before it. */
  held: 1,
  /** The call is about to have its first effect outside. Written before it can have one. */
  effect: 2,
  /** The call that the thread is busy with, or 0; the number of its stay; the milliseconds of processor time that it may use. */
  busy: 3,
} as const;

export const recordBytes = 16;

export function writeRecord(type: number, ...numbers: readonly number[]): Buffer {
  const record = Buffer.alloc(recordBytes);
  [type, ...numbers].forEach((number, place) => record.writeInt32LE(number, 4 * place));
  return record;
}

export type OnRecord = (type: number, first: number, second: number, third: number) => void;

/** Finds the records in the chunks of a stream. */
export class RecordReader {
  #rest = Buffer.alloc(0);

  read(chunk: Buffer, onRecord: OnRecord): void {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (; at + recordBytes <= all.length; at += recordBytes) {
      const number = (place: number) => all.readInt32LE(at + 4 * place);
      onRecord(number(0), number(1), number(2), number(3));
    }
    this.#rest = Buffer.from(all.subarray(at));
  }
}
