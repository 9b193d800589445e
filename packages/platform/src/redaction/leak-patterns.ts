import { Automaton } from './automaton.ts';
import { base64Offsets, spellingLengths, writeBase64Head, writeHexHead } from './number-samples.ts';
import { type Spellings, isNumber, spellingsOf } from './spellings.ts';

/**
 * Symbols of all spellings together. An automaton of so many takes 10 MB and 20 ms to build; 36 KB of values come to
 * as many, or 1000 card numbers.
 */
const maxSymbols = 262_144;

/** A sample is looked at every so many bytes at the most: more would make more of a pattern necessary in the table. */
const maxStep = 16;
/** Bytes of a sample. */
export const sampleLength = 4;
/** So few patterns are compared one by one before an automaton is built. */
const fewPatterns = 48;

/** What a byte is in a number that is written with separators. */
export const byteKind = { other: 0, separator: 1, digit: 2 } as const;
export const byteKinds = new Uint8Array(256);
byteKinds.fill(byteKind.digit, 0x30, 0x3a);
for (const separator of ' -.') byteKinds[separator.charCodeAt(0)] = byteKind.separator;

/** Letters in lower case, all other bytes as they are. */
export const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);
export const unchanged = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const none: ReadonlySet<number> = new Set();

/** 2^32 divided by the golden ratio. */
export const hashFactor = 0x9e3779b1;
/** Memory for the samples of few values, which are put there anew: cheaper than memory of their own. */
const sharedBits = 9;
const sharedSamples = new Int32Array(1 << sharedBits);
/** Numbers, so that no values are kept alive. */
let sharedBy = 0;
let created = 0;
const head = Buffer.alloc(maxStep + sampleLength - 1);

type Owned = readonly [text: string, owner: number];

const lengthsOf = ({ plain, base64 }: Spellings) => [...plain, ...base64].map(({ length }) => length);
const add = (one: number, other: number) => one + other;

/**
 * The spellings of the values of one request, prepared to be searched for. Each occurrence of a spelling holds a sample
 * of four bytes at a place that is a multiple of `step`, and all these samples are in a table. Only where a sample is
 * found, an automaton looks at each byte; it is built when that happens first.
 */
export class LeakPatterns {
  /** How many bytes lie between two samples. */
  readonly step: number;
  /** How many of the values are searched for; the rest would be too much. */
  readonly searched: number;
  /** The digits of the shortest number; infinite without any. */
  readonly fewestDigits: number;
  readonly #plain: Owned[] = [];
  readonly #base64: Owned[] = [];
  readonly #digits: Owned[] = [];
  /** Numbers whose other spellings are not among `#plain` and `#base64` yet. */
  #numbers: Owned[] = [];
  /** How far the product of a sample and `hashFactor` is shifted to get its place among the samples. */
  readonly shift: number;
  readonly #number = (created += 1);
  #ownSamples: Int32Array | undefined;
  #plainAutomaton: Automaton | undefined;
  #base64Automaton: Automaton | undefined;
  #digitsAutomaton: Automaton | undefined;
  #passedOver: ReadonlySet<number> = none;
  /** What the caller has sent; undefined once it was searched for the values. */
  #sent: (() => Iterable<Uint8Array>) | undefined;

  /**
   * @param values distinct, of at least six characters each
   * @param sent what the caller has sent in plain: a value that is in it is not found
   */
  constructor(values: readonly string[], sent?: () => Iterable<Uint8Array>) {
    this.#sent = sent;
    let shortest = maxStep + sampleLength - 1;
    let fewest = Number.POSITIVE_INFINITY;
    let symbols = 0;
    let searched = 0;
    const room = (length: number) => {
      symbols += length;
      if (length < shortest) shortest = length;
    };
    for (const value of values) {
      // Of a value that is much too long no spelling is made.
      if (value.length > maxSymbols) break;
      const isDigits = isNumber(value);
      const spellings = isDigits ? { digits: value } : spellingsOf(value);
      const lengths = 'plain' in spellings ? lengthsOf(spellings) : spellingLengths(value.length);
      if (symbols + lengths.reduce(add, 0) > maxSymbols) break;
      for (const length of lengths) room(length);
      if ('plain' in spellings) this.#add(spellings, searched);
      else this.#numbers.push([value, searched]);
      const { digits } = spellings;
      if (digits !== undefined) {
        this.#digits.push([digits, searched]);
        if (digits.length < fewest) fewest = digits.length;
      }
      searched += 1;
    }
    this.searched = searched;
    this.step = Math.min(shortest, fewest) - sampleLength + 1;
    this.fewestDigits = fewest;
    const patterns =
      this.#plain.length + this.#base64.length + (1 + base64Offsets.length) * this.#numbers.length;
    let bits = 8;
    while (1 << bits < patterns * this.step * 3) bits += 1;
    this.shift = 32 - bits;
    if (bits > sharedBits) this.#ownSamples = this.#fill(new Int32Array(1 << bits));
  }

  /**
   * A hash table of samples, of which the top bits of a product choose the place: each is four bytes as one number, with
   * the bit 0x20 of each set, which makes cases equal. To be used at once: small ones share their memory.
   */
  get samples(): Int32Array {
    if (this.#ownSamples !== undefined) return this.#ownSamples;
    if (sharedBy !== this.#number) {
      sharedBy = this.#number;
      this.#fill(sharedSamples.subarray(0, 1 << (32 - this.shift)).fill(0));
    }
    return sharedSamples;
  }

  /** In lower case. */
  get plain(): Automaton {
    this.#spellNumbers();
    return (this.#plainAutomaton ??= this.#automaton(this.#plain));
  }

  get base64(): Automaton {
    this.#spellNumbers();
    return (this.#base64Automaton ??= this.#automaton(this.#base64));
  }

  /** Of numbers without their separators. */
  get digits(): Automaton {
    return (this.#digitsAutomaton ??= this.#automaton(this.#digits));
  }

  get searchesDigits(): boolean {
    return this.#digits.length > 0;
  }

  /** What the caller has sent, when it is asked for first: before anything is found. */
  takeSent(): Iterable<Uint8Array> | undefined {
    const sent = this.#sent;
    this.#sent = undefined;
    return sent?.();
  }

  /** From now on these values are not found, by their places among all. */
  passOver(values: ReadonlySet<number>): void {
    this.#passedOver = values;
    this.#plainAutomaton?.passOver(values);
    this.#base64Automaton?.passOver(values);
    this.#digitsAutomaton?.passOver(values);
  }

  /** Whether a pattern may be there whose beginning lies in a range. Slow, and exact if there are few patterns. */
  mayBegin(bytes: Uint8Array, from: number, to: number): boolean {
    this.#spellNumbers();
    if (this.#plain.length + this.#base64.length > fewPatterns) return true;
    for (let at = from; at < to; at += 1) {
      for (const [text] of this.#plain) if (isThere(text, bytes, at, lowerCase)) return true;
      for (const [text] of this.#base64) if (isThere(text, bytes, at, unchanged)) return true;
    }
    return false;
  }

  #automaton(patterns: readonly Owned[]): Automaton {
    const automaton = new Automaton(patterns);
    if (this.#passedOver.size > 0) automaton.passOver(this.#passedOver);
    return automaton;
  }

  #add({ plain, base64 }: Pick<Spellings, 'plain' | 'base64'>, owner: number): void {
    for (const text of plain) this.#plain.push([text, owner]);
    for (const text of base64) this.#base64.push([text, owner]);
  }

  #spellNumbers(): void {
    if (this.#numbers.length === 0) return;
    for (const [value, owner] of this.#numbers) this.#add(spellingsOf(value), owner);
    this.#numbers = [];
  }

  #fill(samples: Int32Array): Int32Array {
    const length = this.step + sampleLength - 1;
    for (const texts of [this.#plain, this.#base64]) {
      for (const [text] of texts) {
        // Reading a text that is part of another takes several times as long.
        head.write(text, 0, length, 'latin1');
        this.#addSamples(samples);
      }
    }
    for (const [value] of this.#numbers) {
      writeHexHead(value, head, length);
      this.#addSamples(samples);
      for (const offset of base64Offsets) {
        writeBase64Head(value, offset, head, length);
        this.#addSamples(samples);
      }
    }
    head.fill(0);
    return samples;
  }

  /** Of the places in `head` at which the first sample within an occurrence may be. */
  #addSamples(samples: Int32Array): void {
    const { step, shift } = this;
    const mask = (1 << (32 - shift)) - 1;
    let sample = (head[0]! << 8) | (head[1]! << 16) | (head[2]! << 24) | 0x20202000;
    for (let at = 3; at < step + 3; at += 1) {
      sample = (sample >>> 8) | ((head[at]! | 0x20) << 24);
      let place = Math.imul(sample, hashFactor) >>> shift;
      while (samples[place] !== 0 && samples[place] !== sample) place = (place + 1) & mask;
      samples[place] = sample;
    }
  }
}

/** As far as there are bytes. */
function isThere(text: string, bytes: Uint8Array, at: number, mapping: Uint8Array): boolean {
  const end = Math.min(text.length, bytes.length - at);
  for (let offset = 0; offset < end; offset += 1) {
    if (mapping[bytes[at + offset]!] !== text.charCodeAt(offset)) return false;
  }
  return true;
}
