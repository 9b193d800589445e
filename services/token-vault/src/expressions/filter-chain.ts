import type { Token, Tokenizer } from 'liquidjs';

import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { type ExpressionLimits, type WorkBudget, maxGrownLength, most } from './expression-limits.ts';
import { failed, type Filter, type Value } from './filters/filter.ts';
import { bytesFilter, encoders, filters } from './filters/registry.ts';
import { compileOperand, evaluateOperand, type Operand, type Variables } from './operand.ts';
import { unknownFilter } from './unknown-filter.ts';

type FilterToken = ReturnType<Tokenizer['readFilters']>[number];

interface Step {
  readonly name: string;
  readonly filter: Filter;
  readonly args: readonly Operand[];
  readonly constants: readonly JsonValue[] | undefined;
}

/** Filters that are compiled once and run for any value. */
export interface FilterChain {
  readonly steps: readonly Step[];
  /** Numbers and booleans found by JSONPath become strings unless a cast follows (contract/expressions.md#substitution). */
  readonly scalarsAsText: boolean;
}

/** Filters whose result is a part of the JSON text of their input, or that text. */
const neverGrowing: ReadonlySet<string> = new Set([
  'find',
  'first',
  'json',
  'json_stringify',
  'last',
  'stringify',
]);

const casts: ReadonlySet<string> = new Set(['to_number', 'to_boolean']);

/**
 * @param tokenizer positioned at the first `|`, or at the end
 * @param head the text before the filters, for messages, if the tokenizer lacks it
 */
export function compileFilterChain(
  tokenizer: Tokenizer,
  allowed: readonly string[],
  head?: string,
): FilterChain {
  const begin = tokenizer.p;
  let tokens: readonly FilterToken[];
  try {
    tokens = tokenizer.readFilters();
  } catch {
    throw new ExpressionEvaluationError('The filters of the expression cannot be read.');
  }
  // The library silently stops at text that it cannot read, and at a trailing "|".
  const end = tokens.at(-1)?.end ?? begin;
  if (tokenizer.input.slice(end, tokenizer.N).trim() !== '') {
    throw new ExpressionEvaluationError('The filters of the expression cannot be read.');
  }
  if (tokens.length > most.filters) throw tooManyFilters(most);
  const unknown = tokens.find(({ name }) => !filters.has(name));
  if (unknown !== undefined) {
    throw unknownFilter(unknown, head ?? tokenizer.input.slice(0, begin), tokens, filters.keys());
  }
  const steps = tokens.map((token) => compileStep(token, filters.get(token.name) as Filter, allowed));
  checkOrder(steps.map((step) => step.name));
  const last = (test: (step: Step) => boolean): number => steps.findLastIndex(test);
  return { steps, scalarsAsText: last(({ name }) => name === 'json') > last(({ name }) => casts.has(name)) };
}

/** @throws ExpressionEvaluationError */
export function checkFilters({ steps }: FilterChain, limits: ExpressionLimits): void {
  if (steps.length > limits.filters) throw tooManyFilters(limits);
}

function tooManyFilters({ filters: count }: ExpressionLimits): ExpressionEvaluationError {
  return new ExpressionEvaluationError(`An expression may have at most ${String(count)} filters.`);
}

function compileStep(token: FilterToken, filter: Filter, allowed: readonly string[]): Step {
  const { name } = token;
  const positional: Operand[] = [];
  let named: Operand | undefined;
  let at = token.begin + name.length;
  for (const [index, arg] of token.args.entries()) {
    const separator = index === 0 ? ':' : ',';
    const [key, value] = Array.isArray(arg) ? arg : [undefined, arg];
    if (!value || named) throw failed(name, 'its arguments cannot be read');
    checkGap(name, token, at, value, key === undefined ? separator : `${separator}${key}:`);
    at = value.end;
    if (key === undefined) positional.push(compileOperand(value, allowed));
    else if (key === filter.namedArg) named = compileOperand(value, allowed);
    else throw failed(name, 'it has no argument of that name');
  }
  if (token.input.slice(at, token.end).trim() !== '') throw failed(name, 'its arguments cannot be read');
  if (positional.length < filter.minArgs || positional.length > filter.maxArgs) {
    throw failed(name, `it takes ${describeCount(filter)}`);
  }
  return finishStep(name, filter, named ? [...positional, named] : positional);
}

/** Exactly one separator must be between two arguments; the library would skip over `1,,2`. */
function checkGap(name: string, token: FilterToken, from: number, value: Token, expected: string): void {
  const gap = token.input.slice(from, value.begin).replace(/\s/g, '');
  if (gap !== expected) throw failed(name, 'its arguments cannot be read');
}

function describeCount({ minArgs, maxArgs }: Filter): string {
  const range = minArgs === maxArgs ? String(maxArgs) : `${String(minArgs)} to ${String(maxArgs)}`;
  return `${range} argument${maxArgs === 1 ? '' : 's'}`;
}

function finishStep(name: string, filter: Filter, args: readonly Operand[]): Step {
  const known = args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined));
  filter.check?.(known);
  const constants = known.filter((value) => value !== undefined);
  return { name, filter, args, constants: constants.length === args.length ? constants : undefined };
}

function checkOrder(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const next = names[index + 1];
    if (name === bytesFilter && !(next !== undefined && encoders.has(next))) {
      throw failed(name, 'an encoder must follow, to_base16 or to_base64');
    }
    if (name === 'json_stringify' && next !== undefined) throw failed(name, 'it must be the last filter');
  }
}

export function runFilterChain(
  { steps, scalarsAsText }: FilterChain,
  input: JsonValue,
  variables: Variables,
  work: WorkBudget,
): JsonValue {
  let value: Value = input;
  for (const { name, filter, args, constants } of steps) {
    const before = value;
    value = filter.apply(value, constants ?? args.map((arg) => evaluateOperand(arg, variables, work)), work);
    if (typeof value === 'string' && value.length > maxGrownLength) checkGrowth(name, before, value, work);
  }
  if (value instanceof Uint8Array)
    throw new ExpressionEvaluationError('The result of the expression is bytes.');
  return scalarsAsText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

function checkGrowth(name: string, before: Value, after: string, work: WorkBudget): void {
  if (before instanceof Uint8Array || neverGrowing.has(name)) return;
  if (typeof before === 'object') work.spendOn(before);
  const length = typeof before === 'string' ? before.length : JSON.stringify(before).length;
  if (after.length > length)
    throw failed(name, `its result is longer than ${String(maxGrownLength)} characters`);
}
