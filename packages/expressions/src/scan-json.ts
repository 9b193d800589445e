import { ExpressionError } from './expression-error.ts';
import { malformed, stringEnd } from './scan-json-string.ts';

const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

// On reads behind the end: a typed array gives `undefined` there, which is neither equal to a byte nor in
// any range of bytes. It ends the loops below and leads to their errors, without a comparison with the
// length for each byte; so `as number` hides that from the compiler, on purpose.

// White space is only skipped where there is some: most JSON on the wire has none, and the way without it
// then is short enough for the compiler to make one loop of it.

/**
 * Checks that a body is one JSON text, to the letter of RFC 8259, and reports the strings in it that
 * are values (not names of members) and hold `{{` once their escapes are decoded. Reads each byte
 * once, without recursion, and builds nothing.
 *
 * @param body valid UTF-8
 * @param maxDepth deepest nesting of objects and arrays
 * @param onCandidate gets the range of each such string, both quotes included
 */
export function scanJson(
  body: Uint8Array,
  maxDepth: number,
  onCandidate: (start: number, end: number) => void,
): void {
  new JsonScan(body, maxDepth, onCandidate).goOn(Number.POSITIVE_INFINITY);
}

/** `scanJson` in pieces. */
export class JsonScan {
  readonly #body: Uint8Array;
  readonly #maxDepth: number;
  readonly #onCandidate: (start: number, end: number) => void;
  /** What closes each object and array that is open. */
  readonly #closers: number[] = [];
  #at = 0;

  constructor(body: Uint8Array, maxDepth: number, onCandidate: (start: number, end: number) => void) {
    this.#body = body;
    this.#maxDepth = maxDepth;
    this.#onCandidate = onCandidate;
  }

  /** @param until goes on to the first value that begins here or later. @returns whether more is to do */
  goOn(until: number): boolean {
    const body = this.#body;
    const closers = this.#closers;
    let i = this.#at;
    while (i !== endOfText && i < until) {
      if (body[i]! <= space) i = skipWhiteSpace(body, i);
      const byte = body[i]!;
      if (byte === openingBrace || byte === openingBracket) {
        if (closers.length === this.#maxDepth) throw tooDeep(this.#maxDepth, i);
        i = firstValue(body, i, closers);
      } else if (byte === quote) {
        const end = stringEnd(body, i);
        if (end < 0) this.#onCandidate(i, -end);
        i = nextValue(body, withoutSign(end), closers);
      } else {
        i = nextValue(body, scalarEnd(body, byte, i), closers);
      }
    }
    this.#at = i;
    return i !== endOfText;
  }
}

const endOfText = -1;

/** Where the first value is due in the object or array that opens at `start`, or the next one if it is empty. */
function firstValue(body: Uint8Array, start: number, closers: number[]): number {
  const closer = body[start]! + 2;
  let i = start + 1;
  if (body[i]! <= space) i = skipWhiteSpace(body, i);
  if (body[i] === closer) return nextValue(body, i + 1, closers);
  closers.push(closer);
  return closer === closingBrace ? memberValue(body, i) : i;
}

/** Where the next value is due after one that ended at `end`; closes what ends with it. */
function nextValue(body: Uint8Array, end: number, closers: number[]): number {
  let i = end;
  while (closers.length > 0) {
    if (body[i]! <= space) i = skipWhiteSpace(body, i);
    const closer = closers[closers.length - 1];
    if (body[i] === comma) return closer === closingBrace ? memberValue(body, i + 1) : i + 1;
    if (body[i] !== closer) throw malformed(i);
    closers.pop();
    i += 1;
  }
  i = skipWhiteSpace(body, i);
  if (i < body.length) throw malformed(i);
  return endOfText;
}

/** Where the value is due of the member whose name is due at `start`. */
function memberValue(body: Uint8Array, start: number): number {
  const name = body[start] === quote ? start : expected(quote, body, start);
  const end = withoutSign(stringEnd(body, name));
  return (body[end] === colon ? end : expected(colon, body, end)) + 1;
}

/** Where the byte is that must come next, if need be after white space. */
function expected(byte: number, body: Uint8Array, start: number): number {
  const i = skipWhiteSpace(body, start);
  if (body[i] !== byte) throw malformed(i);
  return i;
}

function skipWhiteSpace(body: Uint8Array, start: number): number {
  let i = start;
  for (let byte = body[i]; byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = body[i])
    i += 1;
  return i;
}

/** `Math.abs` of an index, in few enough instructions. */
function withoutSign(end: number): number {
  return end < 0 ? -end : end;
}

function scalarEnd(body: Uint8Array, first: number, start: number): number {
  switch (first) {
    case 0x74:
      return literalEnd(body, start, 'true');
    case 0x66:
      return literalEnd(body, start, 'false');
    case 0x6e:
      return literalEnd(body, start, 'null');
    default:
      return numberEnd(body, start);
  }
}

function literalEnd(body: Uint8Array, start: number, literal: string): number {
  for (let i = 0; i < literal.length; i += 1) {
    if (body[start + i] !== literal.charCodeAt(i)) throw malformed(start);
  }
  return start + literal.length;
}

function numberEnd(body: Uint8Array, start: number): number {
  let i = body[start] === minus ? start + 1 : start;
  i = body[i] === zero ? i + 1 : digitsEnd(body, i);
  if (body[i] === point) i = digitsEnd(body, i + 1);
  if (body[i] === 0x65 || body[i] === 0x45) {
    const sign = body[i + 1];
    i = digitsEnd(body, sign === plus || sign === minus ? i + 2 : i + 1);
  }
  return i;
}

/** Behind the digits, of which there must be one. */
function digitsEnd(body: Uint8Array, start: number): number {
  let i = start;
  for (let byte = body[i]!; byte >= zero && byte <= nine; byte = body[i]!) i += 1;
  if (i === start) throw malformed(i);
  return i;
}

function tooDeep(maxDepth: number, position: number): ExpressionError {
  return new ExpressionError(
    'invalid_body',
    `The JSON is nested more than ${maxDepth} levels deep`,
    position,
  );
}
