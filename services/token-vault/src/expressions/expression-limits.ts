import { ExpressionEvaluationError } from './expression-error.ts';

/** Of an expression that somebody sends; docs/settings.md. What was stored before they were lowered goes on to work. */
export interface ExpressionLimits {
  /** Inside its braces, in characters. */
  readonly length: number;
  /** In one expression. */
  readonly filters: number;
  /** Of the expression of a fingerprint or a search index, in characters. */
  readonly indexLength: number;
}

export const defaultExpressionLimits: ExpressionLimits = { length: 1024, filters: 16, indexLength: 400 };

/** No operator can set more: what reads an expression by recursion, and what keeps them, count on this. */
export const most: ExpressionLimits = { length: 4096, filters: 100, indexLength: 4096 };

/** @throws ExpressionEvaluationError */
export function checkLength({ length }: string, limits: ExpressionLimits): void {
  if (length <= limits.length) return;
  throw new ExpressionEvaluationError(`An expression may have at most ${String(limits.length)} characters.`);
}
