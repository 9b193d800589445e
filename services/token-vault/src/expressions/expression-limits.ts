import { integer } from '@glovebox/platform/settings/builders';
import { expressionLength, longestExpression } from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';

import { ExpressionEvaluationError } from './expression-error.ts';

/** The upper bounds of the settings: recursive parsers and the caches of expressions rely on them. */
export const most = { length: longestExpression, filters: 100, indexLength: 4096 };

/** For expressions in requests. Stored expressions keep working when the limits are lowered. */
export const expressionLimitSettings = {
  /** In characters inside its braces. */
  length: expressionLength,
  filters: integer('MAX_FILTERS', 'Filters of one expression', { default: 16, min: 1, max: most.filters }),
  /** Characters of a fingerprint or search index expression. */
  indexLength: 400,
};

export type ExpressionLimits = SettingsOf<typeof expressionLimitSettings>;

export const defaultExpressionLimits: ExpressionLimits = readSettings(expressionLimitSettings, {});

/** @throws ExpressionEvaluationError */
export function checkLength({ length }: string, limits: Pick<ExpressionLimits, 'length'>): void {
  if (length <= limits.length) return;
  throw new ExpressionEvaluationError(`An expression may have at most ${String(limits.length)} characters.`);
}
