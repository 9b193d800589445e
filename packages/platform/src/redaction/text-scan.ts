import type { Automaton } from './automaton.ts';
import { type Found, Ranges } from './ranges.ts';

/** The state of an automaton over the bytes up to `place`, through some mapping. */
export class TextScan {
  /** All bytes before are searched, or no value is in them. */
  place = 0;
  #state = 0;
  #depth = 0;
  readonly #mapping: Uint8Array;
  readonly #ranges = new Ranges();
  #asked: Uint8Array | undefined;

  constructor(mapping: Uint8Array) {
    this.#mapping = mapping;
  }

  /** Where the text begins that may become a value. */
  get begin(): number {
    return this.#depth === 0 ? Number.POSITIVE_INFINITY : this.place - this.#depth;
  }

  take(): readonly Found[] {
    return this.#ranges.take();
  }

  /** Goes on at a later place: nothing before it belongs to a value. */
  jumpTo(place: number): void {
    if (place <= this.place) return;
    this.place = place;
    this.#state = 0;
    this.#depth = 0;
  }

  /** Goes on until nothing that begins at `until` or before can become a value. */
  scan(
    automaton: Automaton,
    chunk: Uint8Array,
    base: number,
    until: number,
    owners: Set<number> | undefined,
  ): void {
    const mapping = this.#mapping;
    let state = this.#state;
    let at = this.place - base;
    while (at < chunk.length && (base + at <= until || base + at - automaton.depth[state]! <= until)) {
      state = automaton.step(state, mapping[chunk[at]!]!);
      at += 1;
      const length = automaton.found[state]!;
      if (length === 0) continue;
      this.#ranges.add(base + at - length, base + at);
      if (owners !== undefined)
        automaton.collect(state, (this.#asked ??= new Uint8Array(automaton.depth.length)), owners);
    }
    this.#state = state;
    this.#depth = automaton.depth[state]!;
    this.place = base + at;
  }
}
