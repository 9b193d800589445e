import { createHash } from 'node:crypto';

import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '../values/json-value.ts';
import { tokenTypes } from './token-type.ts';

/**
 * A value of the same type, length and shape (contract/dry-runs.md#stand-ins), which says nothing else of the data: every
 * character that it chooses comes from a generator that is seeded by the name of the value and never sees the data.
 * @param json the data of a token
 * @param seed names the token: each time it has the same stand-in, as long as its data has the same shape
 * @returns JSON text
 */
export function standInOf(type: string, json: string, seed: string): string {
  const random = new SeededRandom(seed);
  const data = parseJson(json);
  const isCard = tokenTypes.get(type)?.isCard === true && isJsonObject(data);
  return JSON.stringify(isCard ? cardStandIn(data, random) : valueStandIn(data, random, type));
}

/** The same of text that may spell a boolean, such as an entry of a configuration. */
export function standInOfText(text: string, seed: string): string {
  const random = new SeededRandom(seed);
  if (text === 'true' || text === 'false') return String(random.below(2) === 1);
  return textStandIn(text, random);
}

/** The same of any JSON value. */
export function standInOfValue(value: JsonValue, seed: string): JsonValue {
  return valueStandIn(value, new SeededRandom(seed), 'token');
}

const firstYear = 2030;

function cardStandIn(card: JsonObject, random: SeededRandom): JsonObject {
  const { expiration_month: month, expiration_year: year } = card;
  return {
    ...(valueStandIn(card, random, 'card') as JsonObject),
    // A date that there is, in as many digits.
    ...(typeof month === 'number'
      ? { expiration_month: month < 10 ? 1 + random.below(9) : 10 + random.below(3) }
      : {}),
    ...(typeof year === 'number' ? { expiration_year: firstYear + random.below(10) } : {}),
  };
}

/** Names of members and the lengths of lists stay: they are the structure. */
function valueStandIn(value: JsonValue, random: SeededRandom, name: string): JsonValue {
  if (value === null) return null;
  if (typeof value === 'boolean') return random.below(2) === 1;
  if (typeof value === 'number') return numberStandIn(value, random);
  if (typeof value === 'string')
    return isRouting(name) ? routingStandIn(value, random) : textStandIn(value, random);
  if (Array.isArray(value)) return value.map((item) => valueStandIn(item, random, ''));
  const members = Object.entries(value).map(([key, item]) => [key, valueStandIn(item, random, key)] as const);
  return Object.fromEntries(members);
}

/** As many digits before and after the point, the same sign and exponent. */
function numberStandIn(value: number, random: SeededRandom): number {
  const [mantissa = '', exponent] = String(value).split('e');
  const digits = mantissa.replace(/[-.\d]/g, (character, at: number) => {
    if (character === '-' || character === '.') return character;
    const isEnd = at === mantissa.length - 1 && mantissa.includes('.');
    const isStart = /^-?$/.test(mantissa.slice(0, at)) && /^-?\d{2}/.test(mantissa);
    return String(isStart || isEnd ? 1 + random.below(8) : random.below(10));
  });
  return Number(exponent === undefined ? digits : `${digits}e${exponent}`);
}

const asNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const scheme = /^https?:\/\//;
const digitsOfCard = { least: 13, most: 19 };

/**
 * A letter for a letter, a digit for a digit. What separates letters and digits stays, as does white space, the scheme of a
 * URL, and the sign, point and exponent of a number. 13 to 19 digits become a number with a valid check digit, like a card's.
 */
function textStandIn(text: string, random: SeededRandom): string {
  if (asNumber.test(text)) return checked(text.replace(/\d/g, () => String(random.below(10))));
  const kept = scheme.exec(text)?.[0] ?? '';
  const characters = Array.from(text.slice(kept.length));
  const shown = characters.map((character, at) =>
    isSeparator(character, characters[at - 1], characters[at + 1])
      ? character
      : characterFor(character, random),
  );
  return kept + checked(shown.join(''));
}

const separators = new Set('-./:@_+, ');
const whiteSpace = new Set(' \t\r\n');
const alphanumeric = /^[\p{L}\p{N}]$/u;

function isSeparator(character: string, before = '', after = ''): boolean {
  if (whiteSpace.has(character)) return true;
  return separators.has(character) && alphanumeric.test(before) && alphanumeric.test(after);
}

const punctuation = '!#$%&*=?^~';

/** By its class, and by how many bytes it takes in UTF-8 and UTF-16. */
function characterFor(character: string, random: SeededRandom): string {
  const code = character.codePointAt(0) ?? 0;
  if (character >= '0' && character <= '9') return String(random.below(10));
  if (character >= 'a' && character <= 'z') return String.fromCodePoint(0x61 + random.below(26));
  if (character >= 'A' && character <= 'Z') return String.fromCodePoint(0x41 + random.below(26));
  if (code < 0x80) return punctuation[random.below(punctuation.length)] ?? '';
  if (code < 0x800) return String.fromCodePoint(0xe0 + random.below(23));
  // Ideographs, and pictures.
  return code < 0x10000
    ? String.fromCodePoint(0x4e00 + random.below(256))
    : String.fromCodePoint(0x1f600 + random.below(64));
}

/** With the last digit that makes it valid, where it could be the number of a card. */
function checked(text: string): string {
  const digits = text.replace(/[ -]/g, '');
  const isLong = digits.length >= digitsOfCard.least && digits.length <= digitsOfCard.most;
  if (!isLong || !/^\d+$/.test(digits) || !/\d$/.test(text)) return text;
  const [sum] = Array.from(digits.slice(0, -1)).reduceRight(
    ([total, doubles], digit): [number, boolean] => {
      const value = Number(digit) * (doubles ? 2 : 1);
      return [total + (value > 9 ? value - 9 : value), !doubles];
    },
    [0, true] as [number, boolean],
  );
  return text.slice(0, -1) + String((10 - (sum % 10)) % 10);
}

function isRouting(name: string): boolean {
  return name === 'routing_number' || name === 'us_bank_routing_number';
}

const weights = [3, 7, 1];

/** Nine digits whose last one is right (contract/tokens.md#numbers). */
function routingStandIn(text: string, random: SeededRandom): string {
  if (!/^\d{9}$/.test(text)) return textStandIn(text, random);
  const digits = Array.from({ length: 8 }, () => random.below(10));
  const sum = digits.reduce((total, digit, at) => total + digit * (weights[at % 3] ?? 0), 0);
  return digits.join('') + String((10 - (sum % 10)) % 10);
}

const blockBytes = 1024;

/** A stream of bytes that depends on the seed alone (SHAKE256, FIPS 202). */
class SeededRandom {
  readonly #seed: string;
  #block = Buffer.alloc(0);
  #blocks = 0;
  #at = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** From 0; below `bound`, which is at most 256. */
  below(bound: number): number {
    if (this.#at === this.#block.length) this.#next();
    const byte = this.#block[this.#at] ?? 0;
    this.#at += 1;
    return Math.floor((byte * bound) / 256);
  }

  #next(): void {
    this.#block = createHash('shake256', { outputLength: blockBytes })
      .update(`glovebox stand-in ${this.#blocks}\n${this.#seed}`)
      .digest();
    this.#blocks += 1;
    this.#at = 0;
  }
}
