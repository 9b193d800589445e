import type { WorkBudget } from '../expression-limits.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';

export const stringify: Filter = { minArgs: 0, maxArgs: 0, apply: applyStringify };
export const toBoolean: Filter = { minArgs: 0, maxArgs: 0, apply: applyToBoolean };
export const toNumber: Filter = { minArgs: 0, maxArgs: 0, apply: applyToNumber };
export const toText: Filter = { minArgs: 0, maxArgs: 0, apply: applyToText };

const decimal = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/;
const whole = /^-?\d+$/;

function applyStringify(input: Value, _args: unknown, work: WorkBudget): Value {
  if (input === null || typeof input === 'string') return input;
  if (input instanceof Uint8Array) throw failed('stringify', 'its input must be JSON');
  work.spendOn(input);
  return JSON.stringify(input);
}

function applyToBoolean(input: Value): Value {
  if (input === null || typeof input === 'boolean') return input;
  if (input === 'true') return true;
  if (input === 'false') return false;
  throw failed('to_boolean', 'its input must be "true" or "false"');
}

/** Refuses integers that a double cannot hold: the result would silently be another number. */
function applyToNumber(input: Value): Value {
  if (input === null || typeof input === 'number') return input;
  const number = typeof input === 'string' && decimal.test(input) ? Number(input) : Number.NaN;
  if (!Number.isFinite(number)) throw failed('to_number', 'its input must be a number');
  if (typeof input === 'string' && whole.test(input) && !Number.isSafeInteger(number)) {
    throw failed('to_number', 'its input has more digits than a JSON number can hold exactly');
  }
  return number;
}

function applyToText(input: Value): Value {
  return input === null ? null : scalarText('to_string', input);
}
