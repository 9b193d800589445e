import { expressionEnd } from './expression-end.ts';
import type { ExpressionList } from './expression-list.ts';
import { tooLarge } from './patch.ts';
import { type Spelling, spell } from './spell.ts';
import type { Values } from './values.ts';

/** A text with expressions in it: some literal text, then expressions, each with the text behind it. */
export interface Template {
  readonly prefix: string;
  readonly parts: readonly TemplatePart[];
}

interface TemplatePart {
  /** Index of the expression in its list. */
  readonly reference: number;
  readonly suffix: string;
}

/**
 * Takes a decoded text apart. A `}}` without a `{{` before it is plain text, and so is `{%`.
 *
 * @param position offset in the body that an error names
 * @param evaluated if only some expressions are: which, by what follows their `{{`; all else is plain text
 */
export function parseTemplate(
  text: string,
  list: ExpressionList,
  position: number,
  evaluated?: RegExp,
): Template {
  let open = nextOpen(text, 0, evaluated);
  const prefix = open === -1 ? text : text.slice(0, open);
  const parts: TemplatePart[] = [];
  while (open !== -1) {
    const end = expressionEnd(text, open, position);
    const reference = list.add(text.slice(open + 2, end), position);
    open = nextOpen(text, end + 2, evaluated);
    parts.push({ reference, suffix: open === -1 ? text.slice(end + 2) : text.slice(end + 2, open) });
  }
  return { prefix, parts };
}

function nextOpen(text: string, from: number, evaluated: RegExp | undefined): number {
  let open = text.indexOf('{{', from);
  if (evaluated === undefined) return open;
  while (open !== -1 && !evaluated.test(text.slice(open + 2, open + 2 + maxHead))) {
    open = text.indexOf('{{', open + 2);
  }
  return open;
}

/** White space and a reserved word are shorter. */
const maxHead = 64;

/** The expression that is the whole text, without even white space around it; `null` if none is. */
export function onlyReference({ prefix, parts }: Template): number | null {
  const [first] = parts;
  return first !== undefined && parts.length === 1 && prefix === '' && first.suffix === ''
    ? first.reference
    : null;
}

/** The text with the values in place of their expressions, in pieces; each value is spelled once. */
export function spellTemplate({ prefix, parts }: Template, values: Values, spelling: Spelling): Buffer[] {
  const pieces = [spell[spelling](prefix)];
  for (const { reference, suffix } of parts) {
    pieces.push(values.at(reference).spelled(spelling));
    if (suffix !== '') pieces.push(spell[spelling](suffix));
  }
  return pieces;
}

/**
 * Puts the text together again with the values in place of their expressions.
 *
 * @param maxLength of the result, in characters
 * @param position offset in the body that an error names
 */
export function renderTemplate(
  template: Template,
  values: Values,
  maxLength: number,
  position: number,
): string {
  let text = template.prefix;
  for (const { reference, suffix } of template.parts) {
    text += values.at(reference).text + suffix;
    if (text.length > maxLength) throw tooLarge(position);
  }
  return text;
}
