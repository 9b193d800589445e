import { BusyMap } from '../values/busy-map.ts';
import type { OpenCall } from './call.ts';

/** Calls that are not written yet, oldest first, and their bytes. */
export class CallQueue<Call, Reply> {
  /** By number, so that a cancelled call leaves at once and frees its body. */
  readonly #calls = new BusyMap<number, OpenCall<Call, Reply>>();
  #lastNumber = 0;
  #bytes = 0;

  get size(): number {
    return this.#calls.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: OpenCall<Call, Reply>): void {
    this.#lastNumber += 1;
    call.queued = this.#lastNumber;
    this.#calls.set(call.queued, call);
    this.#bytes += call.bytes;
  }

  /** @returns whether it was here. */
  delete(call: OpenCall<Call, Reply>): boolean {
    const found = this.#calls.delete(call.queued);
    if (found) this.#bytes -= call.bytes;
    return found;
  }

  /** The calls of the next frame: at least one, if there is any, however large. */
  take(maxCalls: number, maxBytes: number): OpenCall<Call, Reply>[] {
    const taken: OpenCall<Call, Reply>[] = [];
    let bytes = 0;
    for (const call of this.#calls.values()) {
      bytes += call.bytes;
      if (taken.length > 0 && (taken.length === maxCalls || bytes > maxBytes)) break;
      this.delete(call);
      taken.push(call);
    }
    return taken;
  }

  [Symbol.iterator](): IterableIterator<OpenCall<Call, Reply>> {
    return this.#calls.values();
  }
}
