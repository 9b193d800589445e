import { ExpressionError } from './expression-error.ts';
import { malformed, stringEnd } from './scan-json-string.ts';

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
// length for each byte; so `as number` tells the compiler less than the truth, on purpose.

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
  /** What closes each object and array that is open. */
  const closers: number[] = [];
  let i = 0;
  for (;;) {
    i = skipWhiteSpace(body, i);
    const byte = body[i] as number;
    if (byte === openingBrace || byte === openingBracket) {
      if (closers.length === maxDepth) throw tooDeep(maxDepth, i);
      const closer = byte + 2;
      i = skipWhiteSpace(body, i + 1);
      if (body[i] !== closer) {
        closers.push(closer);
        if (closer === closingBrace) i = memberValue(body, i);
        continue;
      }
      i += 1;
    } else if (byte === quote) {
      const end = stringEnd(body, i);
      if (end < 0) onCandidate(i, -end);
      i = Math.abs(end);
    } else {
      i = scalarEnd(body, byte, i);
    }
    i = nextValue(body, i, closers);
    if (i === endOfText) return;
  }
}

const endOfText = -1;

/** Where the next value is due after one that ended at `end`; closes what ends with it. */
function nextValue(body: Uint8Array, end: number, closers: number[]): number {
  for (let i = end; ; i += 1) {
    i = skipWhiteSpace(body, i);
    if (closers.length === 0) {
      if (i < body.length) throw malformed(i);
      return endOfText;
    }
    const closer = closers[closers.length - 1];
    const byte = body[i];
    if (byte === comma) return closer === closingBrace ? memberValue(body, i + 1) : i + 1;
    if (byte !== closer) throw malformed(i);
    closers.pop();
  }
}

/** Where the value is due of the member whose name is due at `start`. */
function memberValue(body: Uint8Array, start: number): number {
  let i = skipWhiteSpace(body, start);
  if (body[i] !== quote) throw malformed(i);
  i = skipWhiteSpace(body, Math.abs(stringEnd(body, i)));
  if (body[i] !== colon) throw malformed(i);
  return i + 1;
}

function skipWhiteSpace(body: Uint8Array, start: number): number {
  let i = start;
  for (let byte = body[i] as number; byte <= 0x20; byte = body[i] as number) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i;
    i += 1;
  }
  return i;
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
  for (let byte = body[i] as number; byte >= zero && byte <= nine; byte = body[i] as number) i += 1;
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
