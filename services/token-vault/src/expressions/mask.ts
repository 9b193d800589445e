import { isJsonObject, type JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { WorkBudget } from './expression-limits.ts';
import { compileTemplate, evaluateTemplate, isTemplate } from './template.ts';

/** Called with the path inside the mask, such as `.number` or `[0]`, and the problem. */
export type MaskProblem = (path: string, message: string) => void;

const ignore: MaskProblem = () => undefined;

/**
 * Evaluates every expression of a mask over a token's current data (contract/expressions.md#masks). A property that is
 * null is left out (contract/choices.md#null-in-a-mask). So is one that fails, because the data may have changed since
 * the mask was accepted. Creating or updating a token passes `onProblem` and refuses instead.
 * @returns undefined when nothing is left, which shows as redacted
 */
export function evaluateMask(
  mask: JsonValue,
  data: JsonValue,
  onProblem: MaskProblem = ignore,
  work: WorkBudget = new WorkBudget(),
): JsonValue | undefined {
  return evaluateNode(mask, '');

  function evaluateNode(node: JsonValue, path: string): JsonValue | undefined {
    if (typeof node === 'string') return isTemplate(node) ? evaluateText(node, path) : node;
    if (Array.isArray(node)) {
      return node.map((item, index) => evaluateNode(item, `${path}[${String(index)}]`) ?? null);
    }
    if (!isJsonObject(node)) return node ?? undefined;
    const shown: [string, JsonValue][] = [];
    for (const [name, item] of Object.entries(node)) {
      const value = evaluateNode(item, `${path}.${name}`);
      if (value !== undefined) shown.push([name, value]);
    }
    return Object.fromEntries(shown);
  }

  function evaluateText(text: string, path: string): JsonValue | undefined {
    try {
      return evaluateTemplate(compileTemplate(text, ['data']), { data }, work) ?? undefined;
    } catch (error) {
      if (!(error instanceof ExpressionEvaluationError)) throw error;
      onProblem(path, error.message);
      return undefined;
    }
  }
}
