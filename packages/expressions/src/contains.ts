import type { BodyGrammar } from './body-grammar.ts';

/**
 * Whether a body may hold an expression: whether there is a `{{` in it, spelled in any way that its
 * grammar has. Never false when `findExpressions` would find one; true also for a `{{` where nothing
 * is evaluated, such as the name of a JSON member.
 */
export function containsExpression(grammar: BodyGrammar, body: Buffer): boolean {
  if (grammar.kind === 'none') return false;
  if (body.indexOf(braces) !== -1) return true;
  if (grammar.kind === 'multipart') return false;
  return hasEscapedBraces(grammar.kind, body) || (!grammar.utf8 && hasWideBraces(body));
}

/**
 * The same for a body that comes in chunks, of which only the last few bytes are kept: for bodies that
 * are too large to be held.
 */
export class ExpressionScanner {
  readonly #grammar: BodyGrammar;
  #tail: Buffer = Buffer.alloc(0);
  #found = false;

  constructor(grammar: BodyGrammar) {
    this.#grammar = grammar;
  }

  /** @returns whether the chunks up to this one may hold an expression */
  push(chunk: Buffer): boolean {
    if (this.#found) return true;
    const border = Buffer.concat([this.#tail, chunk.subarray(0, overlap)]);
    this.#found = containsExpression(this.#grammar, border) || containsExpression(this.#grammar, chunk);
    const kept = chunk.length >= overlap ? chunk : border;
    // A copy, so that not all of a chunk is kept alive by its end.
    this.#tail = Buffer.from(kept.subarray(-overlap));
    return this.#found;
  }
}

const braces = Buffer.from('{{');
const backslash = 0x5c;
const percent = 0x25;

/** One byte less than the longest spelling of `{{`, which is two escapes of a JSON string. */
const overlap = String.raw`\u007b\u007b`.length - 1;

function hasEscapedBraces(kind: 'json' | 'form' | 'text', body: Buffer): boolean {
  if (kind === 'json') return body.includes(backslash) && /(?:\{|\\u007b){2}/i.test(body.toString('latin1'));
  return kind === 'form' && body.includes(percent) && /(?:\{|%7b){2}/i.test(body.toString('latin1'));
}

/** `{{` in UTF-16 or UTF-32, of either byte order. */
function hasWideBraces(body: Buffer): boolean {
  return body.includes('{\0{') || body.includes('{\0\0\0{');
}
