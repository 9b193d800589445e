import { isJsonObject, type JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { textArgument } from './arguments.ts';
import { failed, type Filter, type Value } from './filter.ts';

/**
 * Liquid's filters that look into the elements of an array, and its `slice` and `default`. They are our own because the
 * library parses the property name as a path or an expression for each element, and sorts by comparing whole values: a
 * short expression over a large array would take minutes.
 */
export const sort: Filter = sorting('sort', (text) => text);
export const sortNatural: Filter = sorting('sort_natural', (text) => text.toLowerCase());
export const map: Filter = { minArgs: 1, maxArgs: 1, apply: applyMap };
export const sum: Filter = { minArgs: 0, maxArgs: 1, apply: applySum };
export const where: Filter = picking('where', (items, matches) => items.filter(matches));
export const reject: Filter = picking('reject', (items, matches) => items.filter((item) => !matches(item)));
export const find: Filter = picking('find', (items, matches) => items.find(matches) ?? null);
export const findIndex: Filter = picking('find_index', (items, matches) => {
  const index = items.findIndex(matches);
  return index < 0 ? null : index;
});
export const has: Filter = picking('has', (items, matches) => items.some(matches));
export const slice: Filter = { minArgs: 1, maxArgs: 2, apply: applySlice };
export const fallback: Filter = { minArgs: 1, maxArgs: 1, namedArg: 'allow_false', apply: applyDefault };

/** Units of work per element that is looked into. */
const perElement = 30;
/** Per comparison of two elements, and per character that two texts have in common. */
const perComparison = 25;
const perCommonCharacter = 1 / 16;
/** Per text that is folded for comparison. */
const perText = 40;
const perFolded = 8;

/** Looking up a property takes time in proportion to the length of its name. */
function items(filter: string, input: Value, work: WorkBudget, key = ''): JsonValue[] {
  if (input === null) return [];
  if (!Array.isArray(input)) throw failed(filter, 'its input must be an array');
  work.spend(input.length * (perElement + key.length));
  return input;
}

function property(item: JsonValue, name: string): JsonValue {
  return isJsonObject(item) && Object.hasOwn(item, name) ? (item[name] ?? null) : null;
}

function applyMap(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  const name = textArgument('map', 'property', args[0]);
  return items('map', input, work, name).map((item) => property(item, name));
}

function applySum(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  const name = args[0] === undefined ? undefined : textArgument('sum', 'property', args[0]);
  let total = 0;
  for (const item of items('sum', input, work, name)) {
    const value = name === undefined ? item : property(item, name);
    const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) total += number;
  }
  return total;
}

/** With a value, elements whose property equals it; without, elements whose property is neither null nor false. */
function picking(
  name: string,
  pick: (list: JsonValue[], matches: (item: JsonValue) => boolean) => Value,
): Filter {
  const apply = (input: Value, args: readonly JsonValue[], work: WorkBudget): Value => {
    const key = textArgument(name, 'property', args[0]);
    const wanted = args[1];
    return pick(items(name, input, work, key), (item) => {
      const value = property(item, key);
      if (wanted === undefined) return value !== null && value !== false;
      if (typeof value === 'string' && typeof wanted === 'string' && value.length === wanted.length) {
        work.spend(value.length);
      }
      return value === wanted;
    });
  };
  return { minArgs: 1, maxArgs: 2, apply };
}

/** Numbers come before text, null last. */
function sorting(name: string, fold: (text: string) => string): Filter {
  const apply = (input: Value, args: readonly JsonValue[], work: WorkBudget): Value => {
    const key = args[0] === undefined ? undefined : textArgument(name, 'property', args[0]);
    const list = items(name, input, work, key);
    const comparisons = Math.ceil(Math.log2(list.length + 1));
    work.spend(list.length * comparisons * perComparison);
    const pairs = list.map((item) => {
      const value = key === undefined ? item : property(item, key);
      if (typeof value === 'object' && value !== null)
        throw failed(name, 'it sorts text, numbers and booleans only');
      if (typeof value === 'string')
        work.spend(perText + value.length * (perFolded + comparisons * perCommonCharacter));
      return { item, rank: typeof value === 'string' ? fold(value) : value };
    });
    return pairs.sort((one, other) => compare(one.rank, other.rank)).map(({ item }) => item);
  };
  return { minArgs: 0, maxArgs: 1, apply };
}

function compare(one: string | number | boolean | null, other: string | number | boolean | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : Number(one > other);
  if (typeof one === 'string' || typeof other === 'string') return typeof one === 'string' ? 1 : -1;
  return Number(one) - Number(other);
}

function applySlice(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  if (input === null) return '';
  const begin = integer('begin', args[0]);
  const length = integer('length', args[1] ?? 1);
  if (typeof input !== 'string' && typeof input !== 'number' && !Array.isArray(input)) {
    throw failed('slice', 'its input must be text or an array');
  }
  const whole = typeof input === 'number' ? String(input) : input;
  const from = begin < 0 ? whole.length + begin : begin;
  const to = from < 0 || length < 0 ? from : from + length;
  work.spend(Math.min(Math.max(to - from, 0), whole.length));
  return from < 0 ? whole.slice(0, 0) : whole.slice(from, to);
}

function integer(name: string, value: JsonValue | undefined): number {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw failed('slice', `${name} must be a whole number`);
}

/** For null, false, "" and the empty array; `allow_false: true` keeps false. */
function applyDefault(input: Value, args: readonly JsonValue[]): Value {
  const empty = input === null || input === '' || (Array.isArray(input) && input.length === 0);
  return empty || (input === false && args[1] !== true) ? (args[0] ?? null) : input;
}
