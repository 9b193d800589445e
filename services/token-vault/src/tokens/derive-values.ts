import { ExpressionEvaluationError } from '../expressions/expression-error.ts';
import { WorkBudget } from '../expressions/expression-limits.ts';
import { fingerprintText } from '../expressions/fingerprint-text.ts';
import { evaluateMask } from '../expressions/mask.ts';
import { searchValue } from '../expressions/search-value.ts';
import type { JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import type { TokenLimits } from './data-limits.ts';
import type { Metadata } from './read-fields.ts';

export interface TokenExpressions {
  readonly data: JsonValue;
  readonly metadata: Metadata | undefined;
  readonly mask: JsonValue;
  readonly fingerprintExpression: string;
  readonly searchIndexes: readonly string[];
}

export interface DerivedValues {
  /** Null: no fingerprint. */
  readonly fingerprintText: string | null;
  readonly searchValues: readonly string[];
}

/**
 * Evaluates what depends on the data of a new or changed token. Masks are evaluated at each read; one that fails on
 * its own data is reported here, while the client can still correct it.
 */
export function deriveValues(
  token: TokenExpressions,
  limits: TokenLimits,
  report: ReportProblem,
  work: WorkBudget = new WorkBudget(),
  wantsFingerprint = true,
): DerivedValues {
  checkMask(token, report, work);
  return {
    fingerprintText: wantsFingerprint ? deriveFingerprintText(token, report, work) : null,
    searchValues: deriveSearchValues(token, limits, report, work),
  };
}

export function checkMask(
  { mask, data }: Pick<TokenExpressions, 'mask' | 'data'>,
  report: ReportProblem,
  work: WorkBudget,
): void {
  evaluateMask(mask, data, (path, message) => report(`mask${path}`, message), work);
}

export function deriveFingerprintText(
  { fingerprintExpression, data, metadata }: Omit<TokenExpressions, 'mask' | 'searchIndexes'>,
  report: ReportProblem,
  work: WorkBudget,
): string | null {
  const evaluate = () => fingerprintText(fingerprintExpression, data, metadata ?? {}, work);
  return attempt('fingerprint_expression', report, evaluate) ?? null;
}

/** The values of the expressions that yield one. */
export function deriveSearchValues(
  { searchIndexes, data }: Pick<TokenExpressions, 'searchIndexes' | 'data'>,
  { searchValueLength }: TokenLimits,
  report: ReportProblem,
  work: WorkBudget,
): readonly string[] {
  const values = searchIndexes.map((expression, index) =>
    attempt(`search_indexes[${String(index)}]`, report, () =>
      searchValue(expression, data, searchValueLength, work),
    ),
  );
  return values.filter((value) => value !== undefined);
}

function attempt<T>(path: string, report: ReportProblem, evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
    report(path, error.message);
    return undefined;
  }
}
