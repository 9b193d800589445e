import type { OpenCall } from './call-stream-call.ts';

/** Calls that are not written yet, oldest first; it knows how many bytes they hold. */
export class CallQueue<Call, Reply> {
  /** A set, so that an abandoned call leaves at once and frees its body. */
  readonly #calls = new Set<OpenCall<Call, Reply>>();
  #bytes = 0;

  get size(): number {
    return this.#calls.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: OpenCall<Call, Reply>): void {
    this.#calls.add(call);
    this.#bytes += call.bytes;
  }

  /** @returns whether it was here. */
  delete(call: OpenCall<Call, Reply>): boolean {
    const found = this.#calls.delete(call);
    if (found) this.#bytes -= call.bytes;
    return found;
  }

  /** The calls of the next frame: one at least, if there is any, however large it is. */
  take(maxCalls: number, maxBytes: number): OpenCall<Call, Reply>[] {
    const taken: OpenCall<Call, Reply>[] = [];
    let bytes = 0;
    for (const call of this.#calls) {
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
