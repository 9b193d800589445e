import { AppError } from '@glovebox/platform/errors';

import type { JsonValue } from '../expressions/json-value.ts';

/** Deeper than any token's data; what works through a value by recursion is safe below it. */
const maxDepth = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Strict JSON, or a 400. The parser's own message is not passed on: it quotes the text. */
export function readJsonBody(body: Buffer, maxBytes: number): JsonValue {
  if (body.length > maxBytes) throw new AppError('too_large', `The body may have at most ${maxBytes} bytes.`);
  if (isTooDeep(body)) throw invalid(`The body may be nested at most ${maxDepth} levels deep.`);
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/** Counts brackets outside of strings, before anything is made of them. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (openers.has(byte)) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (closers.has(byte)) depth -= 1;
  }
  return false;
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message);
}
