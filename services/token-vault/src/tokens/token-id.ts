import { randomUUID } from 'node:crypto';

import { ExpressionEvaluationError } from '../expressions/expression-error.ts';
import type { WorkBudget } from '../expressions/expression-limits.ts';
import { compileTemplate, evaluateTemplate, isTemplate } from '../expressions/template.ts';
import { tokenIdProblem } from '../expressions/token-id-grammar.ts';
import { validateAliasExpression } from '../expressions/validate-expressions.ts';
import { textOf, type JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import type { TokenLimits } from './data-limits.ts';

/** The requested id: a literal, or an expression with randomness of its own. */
export type RequestedId =
  | { readonly kind: 'literal'; readonly id: string }
  | { readonly kind: 'alias'; readonly expression: string };

export function generateTokenId(): string {
  return randomUUID();
}

export function readRequestedId(
  value: unknown,
  limits: TokenLimits,
  report: ReportProblem,
): RequestedId | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    report('id', 'must be text');
    return undefined;
  }
  if (isTemplate(value)) {
    validateAliasExpression(value, limits.expressions, 'id', report);
    return { kind: 'alias', expression: value };
  }
  const problem = tokenIdProblem(value, limits.tokenIdLength);
  if (problem !== undefined) report('id', problem);
  return { kind: 'literal', id: value };
}

/**
 * One candidate for an alias. On a collision the caller tries again a few times, then generates an id
 * (contract/tokens.md#token-ids): a format with few values fills up.
 * @returns undefined if the random result is a reserved word
 */
export function aliasCandidate(
  expression: string,
  data: JsonValue,
  { tokenIdLength }: TokenLimits,
  work: WorkBudget,
): string | undefined {
  const id = evaluateAlias(expression, data, work);
  return tokenIdProblem(id, tokenIdLength) === undefined ? id : undefined;
}

/** Reports an expression that yields no valid id for this data. */
export function checkAlias(
  expression: string,
  data: JsonValue,
  { tokenIdLength }: TokenLimits,
  report: ReportProblem,
  work: WorkBudget,
): void {
  try {
    const problem = tokenIdProblem(evaluateAlias(expression, data, work), tokenIdLength);
    if (problem !== undefined) report('id', `must give the id of a token, which ${problem}`);
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
    report('id', error.message);
  }
}

function evaluateAlias(expression: string, data: JsonValue, work: WorkBudget): string {
  return textOf(evaluateTemplate(compileTemplate(expression, ['data']), { data }, work));
}
