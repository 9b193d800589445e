import { ExpressionError } from './expression-error.ts';
import { headOf } from './head.ts';
import type { Limits } from './limits.ts';

/** The distinct expressions of a body, in the order in which they first occur. */
export class ExpressionList {
  readonly limits: Limits;
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();
  #occurrences = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Counts one occurrence.
   *
   * @param text the text between the braces
   * @param position offset in the body that an error names
   * @returns the index of the expression among the distinct ones
   */
  add(text: string, position: number): number {
    this.#occurrences += 1;
    const { maxExpressions, maxExpressionLength } = this.limits;
    if (this.#occurrences > maxExpressions) {
      const message = `The body holds more than ${maxExpressions} expressions`;
      throw new ExpressionError('too_many_expressions', message, position);
    }
    if (text.length > maxExpressionLength) {
      const message = `The expression is longer than ${maxExpressionLength} characters`;
      throw new ExpressionError('invalid_expression', message, position);
    }
    const expression = text.trim();
    const known = this.#indexes.get(expression);
    if (known !== undefined) return known;
    if (headOf(expression).tokenId === '') {
      throw new ExpressionError('invalid_expression', 'The expression names no token', position);
    }
    this.#indexes.set(expression, this.texts.length);
    return this.texts.push(expression) - 1;
  }
}
