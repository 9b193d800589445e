import { runFilterChain } from './filter-chain.ts';
import type { DetokenizationExpression } from './parse.ts';
import type { Subject } from './subject.ts';
import { Work } from './work.ts';

const noVariables = {};

/**
 * @param subject the token's data, or the whole token, as the expression's reference says
 * @returns the value as JSON text: `"11"` or `12`, `null`, `{"number":…}` (api-facts 4.4)
 */
export function evaluateExpression(
  { chain }: DetokenizationExpression,
  subject: Subject,
  work: Work = new Work(),
): string {
  if (chain.steps.length === 0) return subject.json;
  const value = runFilterChain(chain, subject.value(), noVariables, work);
  // A list may hold the same large element many times.
  if (typeof value === 'object') work.spendOn(value);
  return JSON.stringify(value);
}
