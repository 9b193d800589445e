import { textOf, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { WorkBudget } from './expression-limits.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';

/**
 * The text that a fingerprint is computed from, or null for no fingerprint. An empty text has none: all tokens without
 * the value would count as duplicates.
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
