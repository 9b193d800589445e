import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { costOfText, costOfValue } from './json-cost.ts';

/** A filter may give text longer than what it got only up to this many characters: 64 Ki. */
export const maxGrownLength = 64 * 1024;

/**
 * Work that all evaluations of one request may do together: it holds up everyone else for as long. A unit is what takes
 * 2 to 3 ns: a character that is looked at. Whatever takes longer says how many units it is, by measurement
 * (`npm run bench -- hostile`), so that all of it takes about 15 ms, and the whole request with it not 50.
 */
export const requestAllowance = 5_500_000;

/**
 * Expressions come from whoever calls, and data from whoever made the token. Every filter pays here, before it starts,
 * for what it is about to do, so that no combination of the two costs more than the allowance.
 */
export class WorkBudget {
  #left: number;

  constructor(allowance: number = requestAllowance) {
    this.#left = allowance;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws ExpressionEvaluationError when not so much is left; then nothing is: to find that out takes work, too */
  spend(amount: number): void {
    // Written so that NaN ends the evaluation too.
    if (!(amount <= this.#left)) {
      this.#left = 0;
      throw new ExpressionEvaluationError('The expression takes too much work.');
    }
    this.#left -= amount;
  }

  /** Pays for going through a value and everything in it, or for writing it as JSON. */
  spendOn(value: JsonValue): void {
    this.spend(costOfValue(value, this.#left));
  }

  /** Pays for parsing a JSON text. */
  spendOnParsing(json: string): void {
    this.spend(costOfText(json, this.#left));
  }

  /**
   * A part of what is left, for one of several that share it. What it does not use is left to the others.
   * @param among how many there are, with this one
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
