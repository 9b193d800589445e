import { ExpressionError } from './expression-error.ts';
import type { ExpressionList } from './expression-list.ts';
import type { Patch } from './patch.ts';
import { parseTemplate, spellTemplate } from './template.ts';
import { findInText } from './text.ts';

const equalsSign = 0x3d;

/**
 * Finds the expressions in the values of an `application/x-www-form-urlencoded` body; names are never
 * evaluated. A value that holds one is decoded, evaluated and encoded again; nothing else of the body
 * changes by a byte (contract/expressions.md#substitution). A body without any `=` has no pairs: it is text that is
 * called a form, as the official client calls every text (contract/clients.md#call-table), and is evaluated as such.
 *
 * @param body valid UTF-8
 * @param base offset of `body` in what is patched
 */
export function findInForm(body: Buffer, list: ExpressionList, base: number): Patch[] {
  if (!body.includes(equalsSign)) return findInText(body, list, base);
  const patches: Patch[] = [];
  // One character a byte, so that indexes are offsets; what delimits pairs and expressions is ASCII.
  const bytes = body.toString('latin1');
  const braces = /(?:\{|%7b){2}/gi;
  for (let match = braces.exec(bytes); match !== null; match = braces.exec(bytes)) {
    const pairStart = bytes.lastIndexOf('&', match.index) + 1;
    const nextPair = bytes.indexOf('&', match.index);
    const pairEnd = nextPair === -1 ? bytes.length : nextPair;
    const equals = bytes.slice(pairStart, pairEnd).indexOf('=');
    const start = equals === -1 ? pairEnd : pairStart + equals + 1;
    if (start <= match.index) {
      patches.push(patchOf(body.toString('utf8', start, pairEnd), base + start, base + pairEnd, list));
    }
    // Behind the pair, or behind its name: never back, so that no byte is looked at more than twice.
    braces.lastIndex = start <= match.index ? pairEnd : start;
  }
  return patches;
}

function patchOf(encoded: string, start: number, end: number, list: ExpressionList): Patch {
  const template = parseTemplate(decode(encoded, start), list, start);
  return { start, end, fill: (values) => spellTemplate(template, values, 'form') };
}

function decode(encoded: string, position: number): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new ExpressionError('invalid_body', 'The form value is not percent-encoded UTF-8', position);
  }
}
