import { ExpressionError } from './expression-error.ts';

const doubleQuote = 0x22;
const singleQuote = 0x27;
const openingBrace = 0x7b;
const pipe = 0x7c;
const closingBrace = 0x7d;

/**
 * Where the expression ends whose `{{` is at `open`: the index of its `}}`.
 *
 * Among the filters, after the first `|`, a string in single or double quotes may hold anything (it has
 * no escapes, as in Liquid). Anywhere else a brace that is not the closing `}}` is an error: neither
 * ids nor filters can hold one, so `{{{{` and `{{{id}}}` are refused instead of guessed at. The
 * closing `}}` is the first, so that `{{id}}}` is an expression followed by a brace.
 *
 * Reads no character twice, and the caller goes on behind what was read: linear for any input.
 *
 * @param position offset in the body that an error names
 */
export function expressionEnd(text: string, open: number, position: number): number {
  let inFilters = false;
  for (let i = open + 2; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case closingBrace:
        if (text.charCodeAt(i + 1) === closingBrace) return i;
        throw new ExpressionError('invalid_expression', 'The expression holds a stray brace', position);
      case openingBrace:
        throw new ExpressionError('invalid_expression', 'The expression holds a stray brace', position);
      case pipe:
        inFilters = true;
        break;
      case singleQuote:
      case doubleQuote:
        if (inFilters) i = closingQuote(text, i, position);
        break;
      default:
    }
  }
  throw new ExpressionError('invalid_expression', 'The expression is not closed with }}', position);
}

function closingQuote(text: string, opening: number, position: number): number {
  const closing = text.indexOf(text.charAt(opening), opening + 1);
  if (closing !== -1) return closing;
  throw new ExpressionError('invalid_expression', 'The expression holds an unclosed quote', position);
}
