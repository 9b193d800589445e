import { parseJson, type JsonValue } from '../values/json-value.ts';
import { WorkBudget } from './expression-limits.ts';
import { runFilterChain } from './filter-chain.ts';
import type { Variables } from './operand.ts';
import type { DetokenizationExpression } from './parse.ts';
import { unselectedPath } from './unselected-path.ts';

/** The value of a reference, as JSON text or parsed. The other form is made on demand and costs work units. */
export class Subject {
  #json: string | undefined;
  #parsed: { readonly value: JsonValue } | undefined;

  constructor(json: string) {
    this.#json = json;
  }

  static of(value: JsonValue): Subject {
    const subject = new Subject('');
    subject.#json = undefined;
    subject.#parsed = { value };
    return subject;
  }

  json(work: WorkBudget): string {
    if (this.#json === undefined) {
      const value = this.#parsed?.value ?? null;
      work.spendOn(value);
      this.#json = JSON.stringify(value);
    }
    return this.#json;
  }

  value(work: WorkBudget): JsonValue {
    if (this.#parsed === undefined) {
      const json = this.#json ?? 'null';
      work.spendOnParsing(json);
      this.#parsed = { value: parseJson(json) };
    }
    return this.#parsed.value;
  }
}

/**
 * @param subject the value of the reference
 * @param variables for the filters
 * @param onUnselected called with each path that selects nothing (unselected-path.ts)
 * @returns the value as JSON text: `"11"` or `12`, `null`, `{"number":…}` (contract/expressions.md#substitution)
 */
export function evaluateExpression(
  expression: DetokenizationExpression,
  subject: Subject,
  work: WorkBudget = new WorkBudget(),
  variables: Variables = {},
  onUnselected?: (path: string) => void,
): string {
  const { chain } = expression;
  if (chain.steps.length === 0) return subject.json(work);
  const value = runFilterChain(chain, subject.value(work), variables, work);
  if (value === null && onUnselected !== undefined) {
    const path = unselectedPath(expression, subject.value(work));
    if (path !== undefined) onUnselected(path);
  }
  // A list may hold the same large element many times, and a path reaches large elements at no cost.
  work.spendOn(value);
  return JSON.stringify(value);
}
