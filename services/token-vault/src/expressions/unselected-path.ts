import type { JsonValue } from '../values/json-value.ts';
import { namesNothing } from './filters/json-path.ts';
import type { DetokenizationExpression } from './parse.ts';

/**
 * The path of a filter `json` that selects nothing, and that no `default` stands in for. It is told to who may use the value
 * and not see it, so only where that tells of the structure of what is there and nothing else: of the first filter, by names
 * and indexes. After another filter, or where a path compares, the answer would depend on the value.
 */
export function unselectedPath(
  { reference, chain: { steps } }: DetokenizationExpression,
  subject: JsonValue,
): string | undefined {
  const [first] = steps;
  const path = first?.name === 'json' ? first.constants?.[0] : undefined;
  if (typeof path !== 'string' || reference.kind === 'config') return undefined;
  if (typeof subject !== 'object' || subject === null) return undefined;
  if (steps.some(({ name }) => name === 'default')) return undefined;
  return namesNothing(path, subject) ? path : undefined;
}
