import type { JsonValue } from '../values/json-value.ts';
import { namesNothing } from './filters/json-path.ts';
import type { DetokenizationExpression } from './parse.ts';

/**
 * The path of a `json` filter that selects nothing and has no `default`. Callers who may use a value without seeing it
 * learn of it, so it must reveal only structure: it is reported for a first filter by names and indexes. After another
 * filter, or with a comparison in the path, it would depend on the value.
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
