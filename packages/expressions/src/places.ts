import type { BodyGrammar } from './body-grammar.ts';
import { ExpressionList } from './expression-list.ts';
import { findExpressions } from './find-expressions.ts';
import type { Limits } from './limits.ts';
import { findInText } from './text.ts';

/** One occurrence of an expression. */
export interface PlacedExpression {
  /** The text between the braces, trimmed. */
  readonly expression: string;
  /** A JSON Pointer (RFC 6901). */
  readonly place: string;
}

/**
 * Where a body holds its expressions: in JSON and in forms by member, otherwise in the body as a whole.
 * @param root the pointer to the body
 * @throws ExpressionError as `findExpressions` does
 */
export function placesIn(
  grammar: BodyGrammar,
  body: Buffer,
  root: string,
  limits: Limits,
): readonly PlacedExpression[] {
  const { expressions } = findExpressions(grammar, body, limits);
  if (expressions.length === 0) return [];
  const placed = [...membersOf(grammar, body)].flatMap(([place, text]) =>
    expressionsIn(text, limits).map((expression) => ({ expression, place: root + place })),
  );
  const found = new Set(placed.map(({ expression }) => expression));
  const elsewhere = expressions.filter((expression) => !found.has(expression));
  return [...placed, ...elsewhere.map((expression) => ({ expression, place: root }))];
}

/** The expressions of one text. */
export function expressionsIn(text: string, limits: Limits): readonly string[] {
  const list = new ExpressionList(limits);
  findInText(Buffer.from(text), list, 0);
  return list.texts;
}

export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function* membersOf(grammar: BodyGrammar, body: Buffer): Generator<readonly [place: string, text: string]> {
  if (grammar.kind === 'json') {
    const root: unknown = JSON.parse(body.toString());
    yield* textsIn(root, '');
  } else if (grammar.kind === 'form') {
    for (const [name, text] of new URLSearchParams(body.toString())) yield [pointerStep(name), text];
  }
}

/** The nesting of JSON that holds expressions is limited by now. */
function* textsIn(value: unknown, place: string): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string' && value.includes('{{')) yield [place, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) yield* textsIn(item, place + pointerStep(name));
}
