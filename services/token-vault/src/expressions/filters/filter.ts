import type { JsonValue } from '../../values/json-value.ts';
import { ExpressionEvaluationError } from '../expression-error.ts';
import type { WorkBudget } from '../work-budget.ts';

/** What flows from filter to filter: JSON, or between `hmac` and its encoder, bytes. */
export type Value = JsonValue | Uint8Array;

export interface Filter {
  readonly apply: (input: Value, args: readonly JsonValue[], work: WorkBudget) => Value;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** An argument that is given by name, after the others: it follows them as the last element of `args`. */
  readonly namedArg?: string;
  /** What can be said against the arguments before there is data; those that are not literals are undefined. */
  readonly check?: (args: readonly (JsonValue | undefined)[]) => void;
}

export function failed(filter: string, reason: string): ExpressionEvaluationError {
  return new ExpressionEvaluationError(`Filter ${filter}: ${reason}.`);
}

/** Text, numbers and booleans as text; the rest is refused. Null is for the filter to decide before. */
export function scalarText(filter: string, input: Value): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  throw failed(filter, 'its input must be text, a number or a boolean');
}
