import { DigitScan } from './digit-scan.ts';
import {
  type LeakPatterns,
  byteKind,
  byteKinds,
  hashFactor,
  lowerCase,
  sampleLength,
  unchanged,
} from './leak-patterns.ts';
import { type Found, nothing } from './ranges.ts';
import { TextScan } from './text-scan.ts';

/** So often patterns are compared one by one with a place that a sample names; after that an automaton does it. */
const patience = 64;

/**
 * Searches one stream of bytes, chunk by chunk, in time that grows with its length only. A value is found in the chunk
 * in which it ends.
 */
export class LeakSearch {
  readonly #patterns: LeakPatterns;
  readonly #owners: Set<number> | undefined;
  readonly #plain = new TextScan(lowerCase);
  readonly #base64 = new TextScan(unchanged);
  readonly #digits = new DigitScan();
  /** The stream's length so far. */
  #end = 0;
  #last: Uint8Array | undefined;
  #patience = patience;

  /** @param owners where the numbers of the values are added that are found */
  constructor(patterns: LeakPatterns, owners?: Set<number>) {
    this.#patterns = patterns;
    this.#owners = owners;
  }

  /** What ends in this chunk. The chunk must not change before the next call. */
  push(chunk: Uint8Array): readonly Found[] {
    this.#finishLast();
    if (chunk.length === 0) return nothing;
    const base = this.#end;
    this.#end += chunk.length;
    this.#last = chunk;
    if (this.#plain.begin < base) this.#scan('plain', chunk, base, base - 1);
    if (this.#base64.begin < base) this.#scan('base64', chunk, base, base - 1);
    if (this.#digits.begin < base) this.#scan('digits', chunk, base, base);
    this.#searchSamples(chunk, base);
    const plain = this.#plain.take();
    const base64 = this.#base64.take();
    const digits = this.#digits.take();
    return plain === nothing && base64 === nothing && digits === nothing
      ? nothing
      : [...plain, ...base64, ...digits];
  }

  /** How many of the last bytes may belong to a value that goes on in the next chunk. */
  held(): number {
    this.#finishLast();
    return this.#end - Math.min(this.#plain.begin, this.#base64.begin, this.#digits.begin, this.#end);
  }

  #searchSamples(chunk: Uint8Array, base: number): void {
    const patterns = this.#patterns;
    const { step, searchesDigits, samples, shift } = patterns;
    const further = Math.ceil((patterns.fewestDigits - sampleLength) / 2);
    const mask = (1 << (32 - shift)) - 1;
    const last = chunk.length - sampleLength;
    for (let at = 0; at <= last; at += step) {
      const first = chunk[at]!;
      const sample =
        first | (chunk[at + 1]! << 8) | (chunk[at + 2]! << 16) | (chunk[at + 3]! << 24) | 0x20202020;
      let place = Math.imul(sample, hashFactor) >>> shift;
      while (samples[place] !== 0) {
        if (samples[place] === sample) {
          this.#look(chunk, base, at);
          break;
        }
        place = (place + 1) & mask;
      }
      if (searchesDigits && byteKinds[first] !== byteKind.other && isInLongNumber(chunk, at, further))
        this.#lookAtNumber(chunk, base, at);
    }
  }

  /** At a place where a sample is: an occurrence begins there or less than one step before. */
  #look(chunk: Uint8Array, base: number, at: number): void {
    const from = Math.max(0, at - this.#patterns.step + 1);
    if (this.#patience > 0) {
      this.#patience -= 1;
      if (!this.#patterns.mayBegin(chunk, from, at + 1)) return;
    }
    this.#scanTexts(chunk, base, base + from, base + at);
  }

  #scanTexts(chunk: Uint8Array, base: number, from: number, until: number): void {
    this.#plain.jumpTo(from);
    this.#scan('plain', chunk, base, until);
    this.#base64.jumpTo(from);
    this.#scan('base64', chunk, base, until);
  }

  #lookAtNumber(chunk: Uint8Array, base: number, at: number): void {
    const scan = this.#digits;
    if (base + at < scan.place) return;
    const from = this.#numberBefore(chunk, base, at);
    let digits = 0;
    let to = from;
    for (; to < chunk.length; to += 1) {
      const kind = byteKinds[chunk[to]!]!;
      if (kind === byteKind.other) break;
      if (kind === byteKind.digit) digits += 1;
    }
    scan.jumpTo(base + from);
    if (digits < this.#patterns.fewestDigits && to < chunk.length) scan.jumpTo(base + to);
    else this.#scan('digits', chunk, base, base + to);
  }

  /** Where the number begins that goes on at a place, as far as it was not searched before. */
  #numberBefore(chunk: Uint8Array, base: number, at: number): number {
    const least = Math.max(0, this.#digits.place - base);
    let from = at;
    while (from > least && byteKinds[chunk[from - 1]!] !== byteKind.other) from -= 1;
    return from;
  }

  /** Finds out which beginnings of values the last chunk ends with: those that no sample can show. */
  #finishLast(): void {
    const chunk = this.#last;
    if (chunk === undefined) return;
    this.#last = undefined;
    const end = this.#end;
    const base = end - chunk.length;
    const { step } = this.#patterns;
    // The last sample in the chunk has shown what begins there or before.
    const from =
      chunk.length < sampleLength ? 0 : Math.floor((chunk.length - sampleLength) / step) * step + 1;
    const unfinished = this.#plain.place < end || this.#base64.place < end;
    if (unfinished && this.#patterns.mayBegin(chunk, from, chunk.length))
      this.#scanTexts(chunk, base, base + from, end);
    this.#plain.jumpTo(end);
    this.#base64.jumpTo(end);
    if (this.#patterns.searchesDigits && this.#digits.place < end) {
      const number = this.#numberBefore(chunk, base, chunk.length);
      this.#digits.jumpTo(base + number);
      if (number < chunk.length) this.#scan('digits', chunk, base, end);
    }
  }

  #scan(kind: 'plain' | 'base64' | 'digits', chunk: Uint8Array, base: number, until: number): void {
    const patterns = this.#patterns;
    const sent = patterns.takeSent();
    if (sent !== undefined) patterns.passOver(valuesIn(sent, patterns));
    const scan = kind === 'plain' ? this.#plain : kind === 'base64' ? this.#base64 : this.#digits;
    scan.scan(patterns[kind], chunk, base, until, this.#owners);
  }
}

/** The numbers of the values that are in any of these texts. */
function valuesIn(texts: Iterable<Uint8Array>, patterns: LeakPatterns): ReadonlySet<number> {
  const owners = new Set<number>();
  for (const text of texts) new LeakSearch(patterns, owners).push(text);
  return owners;
}

/** Whether a number may be there that holds the sample at a place and goes on for so many bytes, before or behind it. */
function isInLongNumber(chunk: Uint8Array, at: number, further: number): boolean {
  const behind = at + sampleLength;
  return (
    hasDigit(chunk, at) && (isNumber(chunk, behind, behind + further) || isNumber(chunk, at - further, at))
  );
}

/** Whether the sample at a place may be in a number: it holds a digit, and nothing that ends a number. */
function hasDigit(chunk: Uint8Array, at: number): boolean {
  const first = byteKinds[chunk[at]!]!;
  const second = byteKinds[chunk[at + 1]!]!;
  const third = byteKinds[chunk[at + 2]!]!;
  const fourth = byteKinds[chunk[at + 3]!]!;
  return first * second * third * fourth > 1;
}

/** Whether nothing in a range ends a number; true for one that the chunk does not hold. */
function isNumber(chunk: Uint8Array, from: number, to: number): boolean {
  if (from < 0 || to > chunk.length) return true;
  for (let at = from; at < to; at += 1) if (byteKinds[chunk[at]!] === byteKind.other) return false;
  return true;
}
