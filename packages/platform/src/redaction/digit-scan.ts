import type { Automaton } from './automaton.ts';
import { byteKind, byteKinds } from './leak-patterns.ts';
import { type Found, Ranges } from './ranges.ts';

/** How many separators may be between two digits. */
const maxSeparators = 3;
const noPlaces = new Float64Array(0);

/** The state of an automaton over the digits of numbers up to `place`, whatever separates them. */
export class DigitScan {
  place = 0;
  #state = 0;
  #depth = 0;
  #separators = 0;
  /** Digits so far, and the places of the latest. */
  #count = 0;
  #places = noPlaces;
  readonly #ranges = new Ranges();
  #asked: Uint8Array | undefined;

  take(): readonly Found[] {
    return this.#ranges.take();
  }

  get begin(): number {
    return this.#depth === 0 ? Number.POSITIVE_INFINITY : this.#placeOf(this.#depth);
  }

  jumpTo(place: number): void {
    if (place <= this.place) return;
    this.place = place;
    this.#reset();
  }

  /** Goes on up to `to`, and further to the end of the number that is there. */
  scan(
    automaton: Automaton,
    chunk: Uint8Array,
    base: number,
    to: number,
    owners: Set<number> | undefined,
  ): void {
    let at = this.place - base;
    for (; at < chunk.length && (base + at < to || this.#depth > 0); at += 1) {
      const byte = chunk[at]!;
      const kind = byteKinds[byte]!;
      if (kind === byteKind.digit) this.#digit(automaton, byte, base + at, owners);
      else if (kind === byteKind.other || (this.#separators += 1) > maxSeparators) this.#reset();
    }
    this.place = base + at;
  }

  #digit(automaton: Automaton, byte: number, place: number, owners: Set<number> | undefined): void {
    this.#state = automaton.step(this.#state, byte);
    this.#depth = automaton.depth[this.#state]!;
    this.#separators = 0;
    if (this.#depth > this.#places.length) this.#widen();
    this.#places[this.#count & (this.#places.length - 1)] = place;
    this.#count += 1;
    const length = automaton.found[this.#state]!;
    if (length === 0) return;
    this.#ranges.add(this.#placeOf(length), place + 1);
    if (owners !== undefined)
      automaton.collect(this.#state, (this.#asked ??= new Uint8Array(automaton.depth.length)), owners);
  }

  #placeOf(depth: number): number {
    return this.#places[(this.#count - depth) & (this.#places.length - 1)]!;
  }

  #widen(): void {
    const wider = new Float64Array(Math.max(32, this.#places.length * 2));
    for (let back = 1; back < this.#depth; back += 1)
      wider[(this.#count - back) & (wider.length - 1)] = this.#placeOf(back);
    this.#places = wider;
  }

  #reset(): void {
    this.#state = 0;
    this.#depth = 0;
    this.#separators = 0;
  }
}
