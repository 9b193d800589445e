import { ExpressionEvaluationError } from '../expressions/expression-error.ts';
import { fingerprintText } from '../expressions/fingerprint-text.ts';
import type { JsonValue } from '../expressions/json-value.ts';
import { evaluateMask } from '../expressions/mask.ts';
import { searchValue } from '../expressions/search-value.ts';
import type { Report } from '../expressions/validate-expressions.ts';
import { Work } from '../expressions/work.ts';
import type { Metadata } from './read-fields.ts';

export interface TokenExpressions {
  readonly data: JsonValue;
  readonly metadata: Metadata | undefined;
  readonly mask: JsonValue;
  readonly fingerprintExpression: string;
  readonly searchIndexes: readonly string[];
}

export interface DerivedValues {
  /** Null: the token has no fingerprint. */
  readonly fingerprintText: string | null;
  readonly searchValues: readonly string[];
}

/**
 * Evaluates what depends on a token's data, whenever that is created or changed. A mask is evaluated at each read, but
 * one that fails on the data it comes with is reported here, where somebody can still do something about it.
 */
export function deriveValues(
  token: TokenExpressions,
  report: Report,
  work: Work = new Work(),
): DerivedValues {
  const { data, metadata, mask, fingerprintExpression, searchIndexes } = token;
  evaluateMask(mask, data, (path, message) => report(`mask${path}`, message), work);
  const attempt = <T>(path: string, evaluate: () => T): T | undefined => {
    try {
      return evaluate();
    } catch (error) {
      if (!(error instanceof ExpressionEvaluationError)) throw error;
      report(path, error.message);
      return undefined;
    }
  };
  const text = attempt('fingerprint_expression', () =>
    fingerprintText(fingerprintExpression, data, metadata ?? {}, work),
  );
  const searchValues: string[] = [];
  for (const [index, expression] of searchIndexes.entries()) {
    const value = attempt(`search_indexes[${String(index)}]`, () => searchValue(expression, data, work));
    if (value !== undefined) searchValues.push(value);
  }
  return { fingerprintText: text ?? null, searchValues };
}
