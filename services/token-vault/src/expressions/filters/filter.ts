import type { JsonValue } from '../../values/json-value.ts';
import { ExpressionEvaluationError } from '../expression-error.ts';
import type { WorkBudget } from '../expression-limits.ts';

/** The value between filters: JSON, or bytes between `hmac` and its encoder. */
export type Value = JsonValue | Uint8Array;

export interface Filter {
  readonly apply: (input: Value, args: readonly JsonValue[], work: WorkBudget) => Value;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** A named argument; it becomes the last element of `args`. */
  readonly namedArg?: string;
  /** Checks literal arguments before there is data; others are undefined. */
  readonly check?: (args: readonly (JsonValue | undefined)[]) => void;
}

export function failed(filter: string, reason: string): ExpressionEvaluationError {
  return new ExpressionEvaluationError(`Filter ${filter}: ${reason}.`);
}

/** Text, numbers and booleans as text; refuses others. Each filter handles null itself. */
export function scalarText(filter: string, input: Value): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  throw failed(filter, 'its input must be text, a number or a boolean');
}
