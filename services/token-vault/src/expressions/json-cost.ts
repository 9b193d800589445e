import type { JsonValue } from '../values/json-value.ts';

// In units of work (expression-limits.ts), measured with Node 24.

const scalar = 8;
/** Of a text; it may take two bytes. */
const character = 2;
/** A number with a fraction or an exponent, which is written digit by digit. */
const fraction = 60;
const container = 25;
/** Writing JSON checks each level above a container for cycles. */
const level = 0.5;
const name = 8;
/** An object with more names becomes a hash table, whose names take much longer to list. */
const manyNames = 100;
const nameOfMany = 250;

/** The work to walk a value, or to write it as JSON; counting stops beyond `limit`. */
export function costOfValue(value: JsonValue, limit: number, depth = 0): number {
  if (typeof value === 'string') return scalar + value.length * character;
  if (typeof value !== 'object' || value === null) return costOfScalar(value);
  if (Array.isArray(value)) return costOfList(value, limit, depth);
  let cost = container + depth * level;
  if (cost > limit) return cost;
  const names = Object.keys(value);
  cost += costOfNames(names.length);
  for (let at = 0; at < names.length && cost <= limit; at += 1) {
    const key = names[at]!;
    cost += key.length + costOfValue(value[key] as JsonValue, limit - cost, depth + 1);
  }
  return cost;
}

/** The work to list the names of one object. */
export function costOfNames(count: number): number {
  return count * (count > manyNames ? nameOfMany : name);
}

function costOfScalar(value: null | boolean | number): number {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? fraction : scalar;
}

function costOfList(list: readonly JsonValue[], limit: number, depth: number): number {
  let cost = container + depth * level;
  for (let at = 0; at < list.length && cost <= limit; at += 1) {
    const item = list[at] as JsonValue;
    if (typeof item === 'string') cost += scalar + item.length * character;
    else if (typeof item === 'object' && item !== null) cost += costOfValue(item, limit - cost, depth + 1);
    else cost += costOfScalar(item);
  }
  return cost;
}

const parsed = {
  /** Of all there is, and then of a byte outside of texts. */
  byte: 1,
  mark: 2,
  opening: 40,
  /** Of a byte of a text with an escape in it. */
  escaped: 5,
  text: 10,
  name: 15,
  /** A short text or name that is new to the engine is interned. */
  newText: 150,
  newName: 600,
};

/** Counting is not worthwhile below this length. */
const shortLength = 512;
const shortCharacter = 20;
/** The engine interns texts up to about this length. */
const keptLength = 10;
const longName = 64;

const quote = 0x22;
const colon = 0x3a;
const bracket = 0x5b;
const brace = 0x7b;
const backslash = 0x5c;

const costOfMark = new Uint8Array(256).fill(parsed.mark);
costOfMark[bracket] = parsed.opening;
costOfMark[brace] = parsed.opening;

/**
 * The work to parse a JSON text: from 2 ns for a character of a long text to a hundred for one of names that are all
 * different.
 * @param limit counting stops beyond it
 */
export function costOfText(json: string, limit: number): number {
  if (json.length <= shortLength) return json.length * shortCharacter;
  const meter = new TextMeter(Buffer.from(json));
  while (meter.cost <= limit && meter.countMore());
  return meter.cost;
}

/** Bytes that are counted at once: a function that is called often is compiled better than one that loops for long. */
const bytesAtOnce = 4096;
const buckets = 65_536;
/** A secret seed: callers cannot choose colliding texts. */
const seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
/**
 * In which count a short text of each bucket was met last. Of two that fall on one another the second counts as known.
 * It is shared by all counts, one after the other: a count ends before another begins.
 */
const metIn = new Uint32Array(buckets);
let counts = 0;

/** Counts over bytes and in whole numbers, which takes a third of what it takes over the characters of a text. */
class TextMeter {
  cost: number;
  readonly #json: Buffer;
  #at = 0;

  constructor(json: Buffer) {
    counts = (counts + 1) >>> 0;
    this.#json = json;
    this.cost = json.length * parsed.byte;
  }

  /** @returns whether there is more */
  countMore(): boolean {
    const json = this.#json;
    const until = Math.min(json.length, this.#at + bytesAtOnce);
    let at = this.#at;
    let cost = 0;
    while (at < until) {
      const byte = json[at]!;
      at += 1;
      if (byte !== quote) {
        cost += costOfMark[byte]!;
        continue;
      }
      const start = at;
      let isEscaped = false;
      for (; at < json.length && json[at] !== quote; at += 1) {
        if (json[at] !== backslash) continue;
        isEscaped = true;
        at += 1;
      }
      const length = at - start;
      if (isEscaped) cost += length * parsed.escaped;
      if (json[at + 1] === colon) {
        cost += parsed.name + (length > longName || this.#isNew(start, at) ? parsed.newName : 0);
      } else {
        cost += parsed.text + (length <= keptLength && this.#isNew(start, at) ? parsed.newText : 0);
      }
      at += 1;
    }
    this.#at = at;
    this.cost += cost;
    return at < json.length;
  }

  #isNew(start: number, end: number): boolean {
    let hash = seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (this.#json[at] ?? 0), 0x01_00_01_93);
    const bucket = (hash ^ (hash >>> 16)) & (buckets - 1);
    if (metIn[bucket] === counts) return false;
    metIn[bucket] = counts;
    return true;
  }
}
