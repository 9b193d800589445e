import { textOf, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';
import { WorkBudget } from './work-budget.ts';

/**
 * The text of which a token's fingerprint is made, or null for no fingerprint. An empty text has none either: all
 * tokens without the value would count as duplicates of each other.
 */
export function fingerprintText(
  expression: string,
  data: JsonValue,
  metadata: JsonObject,
  work: WorkBudget = new WorkBudget(),
): string | null {
  const template = compileTemplate(expression, ['data', 'metadata']);
  const text = textOf(evaluateTemplate(template, { data, metadata }, work));
  return text === '' ? null : text;
}
