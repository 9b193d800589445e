import { LeakSearch } from '@glovebox/platform/redaction/leak-search';
import { overwritten } from '@glovebox/platform/redaction/overwrite';
import type { Found } from '@glovebox/platform/redaction/ranges';

import { type ResponseGuard, leaks } from './response-guard.ts';

interface Part {
  bytes: Buffer;
  readonly base: number;
}

/** Lets a body pass without values, chunk by chunk. It holds back only what may be the beginning of one. */
export class LeakFilter {
  readonly #guard: ResponseGuard;
  readonly #search: LeakSearch;
  /** Not yet passed on. */
  #parts: Part[] = [];
  #end = 0;

  constructor(guard: ResponseGuard) {
    this.#guard = guard;
    this.#search = new LeakSearch(guard.patterns);
  }

  /**
   * What may pass now.
   * @throws AppError `response_leaks_value` in the mode `refuse`
   */
  push(chunk: Buffer): Buffer[] {
    const found = this.#search.push(chunk);
    this.#parts.push({ bytes: chunk, base: this.#end });
    this.#end += chunk.length;
    if (found.length > 0) {
      this.#guard.inBody = true;
      if (this.#guard.mode === 'refuse') throw leaks();
      this.#overwrite(found);
    }
    return this.#release(this.#end - this.#search.held());
  }

  /** The rest. */
  finish(): Buffer[] {
    return this.#release(this.#end);
  }

  #overwrite(found: readonly Found[]): void {
    const last = this.#parts.length - 1;
    const chunk = this.#parts[last]!;
    // The bytes of a chunk may be shared, so copies are written.
    chunk.bytes = overwritten(chunk.bytes, found, chunk.base);
    const earlier = found.filter(({ from }) => from < chunk.base);
    const first = Math.min(...earlier.map(({ from }) => from));
    for (
      let at = last - 1;
      at >= 0 && this.#parts[at]!.base + this.#parts[at]!.bytes.length > first;
      at -= 1
    ) {
      const part = this.#parts[at]!;
      part.bytes = overwritten(part.bytes, earlier, part.base);
    }
  }

  /** The bytes before a place. */
  #release(place: number): Buffer[] {
    const released: Buffer[] = [];
    let kept = 0;
    for (const { bytes, base } of this.#parts) {
      const end = base + bytes.length;
      if (base >= place) break;
      released.push(end <= place ? bytes : bytes.subarray(0, place - base));
      if (end > place) break;
      kept += 1;
    }
    this.#parts.splice(0, kept);
    const [first] = this.#parts;
    if (first !== undefined && first.base < place)
      this.#parts[0] = { bytes: first.bytes.subarray(place - first.base), base: place };
    return released;
  }
}
