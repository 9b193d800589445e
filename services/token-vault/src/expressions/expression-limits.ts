import { integer } from '@glovebox/platform/settings/builders';
import { expressionLength, longestExpression } from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';

import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { costOfText, costOfValue } from './json-cost.ts';

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

/** A filter may lengthen a text only up to this many characters: 64 Ki. */
export const maxGrownLength = 64 * 1024;

/**
 * The work that all evaluations of one request may do together, because they block every other call. A unit takes 2 to 3
 * ns: looking at one character. Whatever takes longer counts more units, by measurement (`npm run bench -- hostile`), so
 * that all of it takes about 15 ms, and the whole request with it not 50.
 */
export const requestAllowance = 5_500_000;

/**
 * Bounds evaluation: expressions come from callers, and data from the creators of tokens. Every filter pays here before
 * it starts, so that no combination of the two exceeds the allowance.
 */
export class WorkBudget {
  #left: number;

  constructor(allowance: number = requestAllowance) {
    this.#left = allowance;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws ExpressionEvaluationError when less is left; then nothing is left, because finding that out takes work, too */
  spend(amount: number): void {
    // Negated so that NaN ends the evaluation, too.
    if (!(amount <= this.#left)) {
      this.#left = 0;
      throw new ExpressionEvaluationError('The expression takes too much work.');
    }
    this.#left -= amount;
  }

  /** Pays for walking a value, or for writing it as JSON. */
  spendOn(value: JsonValue): void {
    this.spend(costOfValue(value, this.#left));
  }

  /** Pays for parsing a JSON text. */
  spendOnParsing(json: string): void {
    this.spend(costOfText(json, this.#left));
  }

  /**
   * Gives a part of what is left to one of several evaluations, and takes back what that does not use.
   * @param among how many are left, with this one
   */
  share<T>(among: number, evaluate: (work: WorkBudget) => T): T {
    const part = new WorkBudget(this.#left / among);
    const before = part.left;
    try {
      return evaluate(part);
    } finally {
      this.#left -= before - part.left;
    }
  }
}
