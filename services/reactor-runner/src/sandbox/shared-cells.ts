/**
 * Integers that the threads of a worker process share: the one that runs code, the watchdog that ends what takes too long
 * (isolated-vm/watchdog.ts), and the one that hears the runner while code runs (worker/control.ts).
 */
export const places = {
  stay: 0,
  endsAt: 1,
  isolate: 2,
  called: 3,
  asleep: 4,
  unwanted: 5,
  /** Milliseconds of processor time that the stay may use. The runner measures it: no thread here can read another's. */
  cpuLeft: 6,
  /** The call that the stay belongs to. */
  call: 7,
  /** The last call that has begun; less than 0: it, and no further call may begin. */
  begun: 8,
} as const;

export function makeSharedCells(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * 16));
}
