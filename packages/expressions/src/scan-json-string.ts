import { ExpressionError } from './expression-error.ts';

const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
const letterU = 0x75;

/** The bytes at which a run of ordinary characters ends: controls, quote, backslash, opening brace. */
const special = new Uint8Array(256).fill(1, 0, 0x20);
for (const byte of [quote, backslash, openingBrace]) special[byte] = 1;

const singleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Where the JSON string ends whose opening quote is at `start`: the index behind its closing quote,
 * negated if the string holds `{{` once its escapes are decoded (of which `\u007b` is one more brace).
 */
export function stringEnd(body: Uint8Array, start: number): number {
  const i = ordinaryEnd(body, start + 1);
  return body[i] === quote ? i + 1 : specialStringEnd(body, i);
}

/** The same, from the first byte on that is not ordinary. Apart, so that the usual way stays short. */
function specialStringEnd(body: Uint8Array, start: number): number {
  let i = start;
  let behindBrace = -1;
  let candidate = false;
  while (body[i] !== quote) {
    const isBrace = body[i] === openingBrace;
    const end = isBrace ? i + 1 : escapeEnd(body, i);
    if (isBrace || isEscapedBrace(body, i, end)) {
      candidate ||= behindBrace === i;
      behindBrace = end;
    }
    i = ordinaryEnd(body, end);
  }
  return candidate ? -(i + 1) : i + 1;
}

function ordinaryEnd(body: Uint8Array, start: number): number {
  let i = start;
  while (special[body[i]!] === 0) i += 1;
  return i;
}

export function malformed(position: number): ExpressionError {
  return new ExpressionError('invalid_body', 'The body is not valid JSON', position);
}

/** Behind the escape that must be at `start`. */
function escapeEnd(body: Uint8Array, start: number): number {
  if (body[start] !== backslash) throw malformed(start);
  const byte = body[start + 1]!;
  if (byte !== letterU) {
    if (singleEscapes.has(byte)) return start + 2;
    throw malformed(start);
  }
  for (let i = start + 2; i < start + 6; i += 1) {
    if (!isHexDigit(body[i]!)) throw malformed(start);
  }
  return start + 6;
}

/** Whether the escape from `start` to `end` is `\u007b`. */
function isEscapedBrace(body: Uint8Array, start: number, end: number): boolean {
  return (
    end === start + 6 &&
    body[start + 2] === 0x30 &&
    body[start + 3] === 0x30 &&
    body[start + 4] === 0x37 &&
    (body[start + 5] === 0x62 || body[start + 5] === 0x42)
  );
}

function isHexDigit(byte: number): boolean {
  // In ASCII, 0x20 is the difference between the cases of a letter.
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
