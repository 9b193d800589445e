import { validateFingerprintExpression, validateMask } from '../expressions/validate-expressions.ts';
import type { JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import { type TokenLimits, dataProblem } from './data-limits.ts';
import { readText } from './read-fields.ts';
import type { TokenType } from './token-type.ts';

/** Normalized data; without a type, only the checks that hold for all types. */
export function readData(
  value: JsonValue | undefined,
  type: TokenType | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): JsonValue | undefined {
  if (value === undefined || value === null) {
    report('data', 'is required');
    return undefined;
  }
  const problem = dataProblem(value, limits);
  if (problem !== undefined) {
    report('data', problem);
    return undefined;
  }
  return type ? type.readData(value, report) : undefined;
}

/** Undefined when absent or null: the type's default applies. */
export function readMask(
  value: JsonValue | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  validateMask(value, limits, 'mask', report);
  return value;
}

export function readFingerprintExpression(
  value: JsonValue | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): string | undefined {
  const text = readText(value, 'fingerprint_expression', report);
  if (text === undefined) return undefined;
  if (text === '') report('fingerprint_expression', 'must not be empty');
  else validateFingerprintExpression(text, limits.expressions, 'fingerprint_expression', report);
  return text;
}
