import { ExpressionEvaluationError } from './expression-error.ts';
import type { JsonValue } from './json-value.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';
import { Work } from './work.ts';

/** Longest value that can be searched for; the search query itself has at most 200 characters (api-facts 1.10). */
const maxValueLength = 1000;

/** The value of one search index: each must be one value that is not empty (api-facts 3.9). */
export function searchValue(expression: string, data: JsonValue, work: Work = new Work()): string {
  const value = evaluateTemplate(compileTemplate(expression, ['data']), { data }, work);
  if (value === null || value === '' || typeof value === 'object') {
    throw new ExpressionEvaluationError(
      'The expression of a search index must give one value that is not empty.',
    );
  }
  const text = String(value);
  if (text.length <= maxValueLength) return text;
  throw new ExpressionEvaluationError(
    `The value of a search index may have at most ${String(maxValueLength)} characters.`,
  );
}
