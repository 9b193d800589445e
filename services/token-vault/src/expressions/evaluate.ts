import { runFilterChain } from './filter-chain.ts';
import type { Variables } from './operand.ts';
import type { DetokenizationExpression } from './parse.ts';
import type { Subject } from './subject.ts';
import { unselectedPath } from './unselected-path.ts';
import { WorkBudget } from './work-budget.ts';

/**
 * @param subject what the reference stands for
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
