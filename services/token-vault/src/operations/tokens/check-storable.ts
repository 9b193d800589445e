import type { TokenContent } from '../../tokens/token-content.ts';
import type { JsonValue } from '../../values/json-value.ts';
import type { ReportProblem } from '../../values/validation-problems.ts';

/** Unsealed columns must hold text that Postgres accepts: without U+0000 and lone surrogates. */
export function checkStorable(content: TokenContent, report: ReportProblem): void {
  const { mask, encryption = null, fingerprintExpression, searchIndexes } = content;
  const fields: Record<string, JsonValue> = {
    mask,
    encryption,
    fingerprint_expression: fingerprintExpression,
    search_indexes: [...searchIndexes],
  };
  for (const [path, value] of Object.entries(fields)) {
    if (!isStorable(value)) report(path, 'must not hold the character U+0000 or broken text');
  }
}

function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item));
}
