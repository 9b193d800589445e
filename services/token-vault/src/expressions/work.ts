import { ExpressionEvaluationError } from './expression-error.ts';
import type { JsonValue } from './json-value.ts';

/** A filter may give text longer than what it got only up to this many characters: 64 Ki. */
export const maxGrownLength = 64 * 1024;

/**
 * Work that one evaluation (an expression, or a whole mask) may do. The unit is a character or an element that is
 * looked at; a token's data has at most about a million of them, so a few passes over the largest token are allowed.
 * All of it takes some tens of milliseconds.
 */
const defaultAllowance = 4_000_000;

/** Work that all evaluations of one request may do together: it holds up everyone else for as long. */
export const requestAllowance = 4 * defaultAllowance;

/** An object with more names than this is kept as a table, whose names take much longer to go through than characters. */
export const manyNames = 100;
const workPerName = 10;

/**
 * Expressions come from whoever calls, and data from whoever made the token. Every filter pays here, before it starts,
 * for what it is about to do, so that no combination of the two costs more than the allowance.
 */
export class Work {
  #left: number;

  constructor(allowance: number = defaultAllowance) {
    this.#left = allowance;
  }

  get left(): number {
    return this.#left;
  }

  spend(amount: number): void {
    // Written so that NaN ends the evaluation too.
    if (!(amount <= this.#left)) throw new ExpressionEvaluationError('The expression takes too much work.');
    this.#left -= amount;
  }

  /** Pays for a value and everything in it. Stops counting where the allowance ends. */
  spendOn(value: JsonValue): void {
    if (typeof value === 'string') return this.spend(1 + value.length);
    this.spend(1);
    if (Array.isArray(value)) {
      for (const item of value) this.spendOn(item);
    } else if (typeof value === 'object' && value !== null) {
      const names = Object.keys(value);
      if (names.length > manyNames) this.spend(names.length * workPerName);
      for (const name of names) {
        this.spend(name.length);
        this.spendOn(value[name] as JsonValue);
      }
    }
  }
}
