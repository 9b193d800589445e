import type { JsonValue } from '../values/json-value.ts';

// In units of work (work.ts), measured with Node 24.

const scalar = 8;
/** Of a text, which may take two bytes. */
const character = 2;
/** A number with a fraction or an exponent, which is written digit by digit. */
const fraction = 60;
const container = 25;
/** Who writes JSON looks at each level above a container, for circles. */
const level = 0.5;
const name = 8;
/** An object with more names is kept as a table, whose names take much longer to go through. */
const manyNames = 100;
const nameOfMany = 250;

/**
 * What it costs to go through a value and everything in it, or to write it as JSON.
 * @param limit counting stops beyond it
 */
export function costOfValue(value: JsonValue, limit: number, depth = 0): number {
  if (typeof value === 'string') return scalar + value.length * character;
  if (typeof value !== 'object' || value === null) return costOfScalar(value);
  if (Array.isArray(value)) return costOfList(value, limit, depth);
  let cost = container + depth * level;
  if (cost > limit) return cost;
  const names = Object.keys(value);
  cost += costOfNames(names.length);
  for (let at = 0; at < names.length && cost <= limit; at += 1) {
    const key = names[at] as string;
    cost += key.length + costOfValue(value[key] as JsonValue, limit - cost, depth + 1);
  }
  return cost;
}

/** What it costs to list so many names of one object. */
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
  /** Of a text, and of all that stands between texts. */
  character: 0.5,
  /** Of a text with a quote in it. */
  escaped: 5,
  mark: 2,
  opening: 40,
  text: 10,
  name: 15,
  /** A short text, or a name, that the engine has not met yet: it makes an entry in a table of its own. */
  newText: 120,
  newName: 600,
};

/** Below this length it is not worth counting. */
const shortLength = 512;
const shortCharacter = 20;
/** The engine keeps one copy of each text up to about this length. */
const keptLength = 10;
const longName = 64;

const quote = 0x22;
const colon = 0x3a;
const bracket = 0x5b;
const brace = 0x7b;
const backslash = 0x5c;

/**
 * What it costs to parse a JSON text: from 1 ns for a character of a long text to a hundred for one of names that are all
 * different.
 * @param limit counting stops beyond it
 */
export function costOfText(json: string, limit: number): number {
  if (json.length <= shortLength) return json.length * shortCharacter;
  const met = new Met();
  let cost = json.length * parsed.character;
  for (let at = 0; at < json.length && cost <= limit; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      const first = indexOrEnd(json, at + 1);
      const end = isEscaped(json, first) ? endOfText(json, first) : first;
      if (end !== first) cost += (end - at) * parsed.escaped;
      const length = end - at - 1;
      if (json.charCodeAt(end + 1) === colon) {
        cost += parsed.name + (length > longName || met.isNew(json, at + 1, end) ? parsed.newName : 0);
      } else {
        cost += parsed.text + (length <= keptLength && met.isNew(json, at + 1, end) ? parsed.newText : 0);
      }
      at = end;
    } else {
      cost += code === bracket || code === brace ? parsed.opening : parsed.mark;
    }
  }
  return cost;
}

/** Where the text ends in which an escaped quote stands at `from`. */
function endOfText(json: string, from: number): number {
  let end = from;
  while (isEscaped(json, end)) end = indexOrEnd(json, end + 1);
  return end;
}

function indexOrEnd(json: string, from: number): number {
  const index = json.indexOf('"', from);
  return index === -1 ? json.length : index;
}

function isEscaped(json: string, end: number): boolean {
  let first = end;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return end < json.length && (end - first) % 2 === 1;
}

const buckets = 65_536;
/** Nobody can choose texts that fall on one another. */
const seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;

/** Which short texts have been met. Of two that fall on one another the second counts as known. */
class Met {
  readonly #seen = new Uint8Array(buckets);

  isNew(json: string, start: number, end: number): boolean {
    let hash = seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ json.charCodeAt(at), 0x01_00_01_93);
    const bucket = (hash ^ (hash >>> 16)) & (buckets - 1);
    if (this.#seen[bucket] === 1) return false;
    this.#seen[bucket] = 1;
    return true;
  }
}
