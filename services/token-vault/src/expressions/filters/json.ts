import type { JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { textArgument } from './arguments.ts';
import { failed, type Filter, type Value } from './filter.ts';
import { compileJsonPath } from './json-path.ts';

export const json: Filter = {
  minArgs: 1,
  maxArgs: 1,
  apply: applyJson,
  check: ([path]) => {
    if (path !== undefined) compileJsonPath(textArgument('json', 'path', path));
  },
};

/**
 * Nothing selected is null, like a missing property (contract/expressions.md#language); more than one value is an error
 * (contract/expressions.md#filters).
 */
function applyJson(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  const path = compileJsonPath(textArgument('json', 'path', args[0]), work);
  if (input === null) return null;
  if (typeof input !== 'object' || input instanceof Uint8Array) {
    throw failed('json', 'its input must be an object or an array');
  }
  return path(input, work);
}
