import type { JsonValue } from '../../values/json-value.ts';
import { type WorkBudget, most } from '../expression-limits.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';
import { findAll, findLast } from './find-text.ts';

/**
 * Liquid's filters that search for text, with the library's results. They are our own because the library uses the
 * engine's search, which takes the product of both lengths for some texts.
 */
export const remove: Filter = replacing('remove', 1, cutEverywhere);
export const removeFirst: Filter = replacing('remove_first', 1, cutFirst);
export const removeLast: Filter = replacing('remove_last', 1, cutLast);
export const replace: Filter = replacing('replace', 2, cutEverywhere);
export const replaceFirst: Filter = replacing('replace_first', 2, cutFirst);
export const replaceLast: Filter = replacing('replace_last', 2, cutLast);
/** Drops empty pieces at the end, as in Ruby. */
export const split: Filter = searching('split', 1, (text, wanted) => {
  const pieces = cutEverywhere(text, wanted);
  while (pieces.at(-1) === '') pieces.pop();
  return pieces;
});

/** The pieces between the occurrences of a text. */
type Cut = (text: string, wanted: string) => string[];

/** Units of work per searched character, and per piece. */
const perCharacter = 4;
/** Per character that is compared in a loop; slow until the engine has compiled it. */
const perComparedCharacter = 16;
const perPiece = 30;

/** For such a short text, the engine's search takes about the same time whatever the input. */
const shortLength = 8;

function replacing(name: string, maxArgs: number, cut: Cut): Filter {
  return searching(name, maxArgs, (text, wanted, by, work) => {
    const pieces = cut(text, wanted);
    work.spend(pieces.length * (perPiece + by.length));
    return pieces.join(by);
  });
}

function searching(
  name: string,
  maxArgs: number,
  search: (text: string, wanted: string, by: string, work: WorkBudget) => Value,
): Filter {
  const apply = (input: Value, args: readonly JsonValue[], work: WorkBudget): Value => {
    const text = input === null ? '' : scalarText(name, input);
    const [wanted, by] = [argumentText(args[0], work), argumentText(args[1], work)];
    if (wanted.length > most.length)
      throw failed(name, `the text to search for is longer than ${String(most.length)} characters`);
    const perUnit = wanted.length > shortLength ? perComparedCharacter : perCharacter;
    work.spend((text.length + wanted.length) * perUnit + by.length);
    const result = search(text, wanted, by, work);
    if (Array.isArray(result)) work.spend(result.length * perPiece);
    return result;
  };
  return { minArgs: 1, maxArgs, apply };
}

/** Converts an argument to text as the library does. */
function argumentText(value: JsonValue | undefined, work: WorkBudget): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  work.spendOn(value);
  if (Array.isArray(value)) return value.map((item) => argumentText(item, work)).join('');
  return typeof value === 'object' ? '[object Object]' : String(value);
}

/** An empty text occurs between any two characters. */
function cutEverywhere(text: string, wanted: string): string[] {
  if (wanted.length <= shortLength) return text.split(wanted);
  return cutAt(text, wanted, findAll(text, wanted));
}

function cutFirst(text: string, wanted: string): string[] {
  if (wanted.length > shortLength) return cutAt(text, wanted, findAll(text, wanted, 1));
  return cutAtOne(text, wanted, text.indexOf(wanted));
}

function cutLast(text: string, wanted: string): string[] {
  const isShort = wanted.length <= shortLength;
  return cutAtOne(text, wanted, isShort ? text.lastIndexOf(wanted) : findLast(text, wanted));
}

function cutAtOne(text: string, wanted: string, place: number): string[] {
  return cutAt(text, wanted, place === -1 ? [] : [place]);
}

function cutAt(text: string, wanted: string, places: readonly number[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const place of places) {
    pieces.push(text.slice(from, place));
    from = place + wanted.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
