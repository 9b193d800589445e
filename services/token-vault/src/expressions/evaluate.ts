import { runFilterChain } from './filter-chain.ts';
import type { Variables } from './operand.ts';
import type { DetokenizationExpression } from './parse.ts';
import type { Subject } from './subject.ts';
import { Work } from './work.ts';

/**
 * @param subject the token's data, the whole token or what else the expression's reference says
 * @param variables for the filters
 * @returns the value as JSON text: `"11"` or `12`, `null`, `{"number":…}` (api-facts 4.4)
 */
export function evaluateExpression(
  { chain }: DetokenizationExpression,
  subject: Subject,
  work: Work = new Work(),
  variables: Variables = {},
): string {
  if (chain.steps.length === 0) return subject.json(work);
  const value = runFilterChain(chain, subject.value(work), variables, work);
  // A list may hold the same large element many times, and a path finds large ones for nothing.
  work.spendOn(value);
  return JSON.stringify(value);
}
