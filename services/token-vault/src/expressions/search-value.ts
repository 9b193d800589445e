import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { WorkBudget } from './expression-limits.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';

/** The value of one search index: one value of at most `maxLength` characters, not empty (contract/tokens.md#search). */
export function searchValue(
  expression: string,
  data: JsonValue,
  maxLength: number,
  work: WorkBudget = new WorkBudget(),
): string {
  const value = evaluateTemplate(compileTemplate(expression, ['data']), { data }, work);
  if (value === null || value === '' || typeof value === 'object') {
    throw new ExpressionEvaluationError(
      'The expression of a search index must give one value that is not empty.',
    );
  }
  const text = String(value);
  if (text.length <= maxLength) return text;
  throw new ExpressionEvaluationError(
    `The value of a search index may have at most ${String(maxLength)} characters.`,
  );
}
