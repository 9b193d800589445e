import { Context, filters as libraryFilters, Liquid, toValueSync, type FilterImplOptions } from 'liquidjs';

import type { JsonValue } from '../../values/json-value.ts';
import { type WorkBudget, most } from '../expression-limits.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';

/**
 * Liquid's standard filters for text, arrays and numbers, by liquidjs, except those that search (search.ts) or look into
 * elements (list.ts). The engine renders no template, so there are no tags. Its memory limit is needed for `join`, whose
 * result can be much larger than its input.
 * Left out: `date` (its patterns can pad without end), everything that takes an expression or a random order, and
 * Jekyll's additions.
 */
const engine = new Liquid({ strictFilters: true, ownPropertyOnly: true, parseLimit: most.length });

/** The input of a filter: `text` is a scalar or null; `list` an array or null; `flat list` an array without arrays. */
type Takes = 'text' | 'list' | 'flat list' | 'any';

/** `weight`: units of work per character of input and output, or per element of a list. */
type Row = readonly [name: string, takes: Takes, minArgs: number, maxArgs: number, weight: number];

const rows: readonly Row[] = [
  ...names('text', 0, 0, 4, 'strip lstrip rstrip base64_encode'),
  ...names('text', 0, 0, 12, 'capitalize downcase upcase strip_newlines squish newline_to_br base64_decode'),
  ...names('text', 0, 0, 12, 'url_encode url_decode'),
  ...names('text', 0, 0, 20, 'escape'),
  ...names('text', 0, 0, 30, 'escape_once'),
  ...names('text', 0, 0, 26, 'strip_html'),
  ...names('text', 1, 1, 1, 'append prepend'),
  ...names('text', 0, 2, 5, 'truncate'),
  ...names('text', 0, 2, 16, 'truncatewords'),
  ...names('text', 0, 0, 1, 'abs ceil floor'),
  ...names('text', 0, 1, 1, 'round'),
  ...names('text', 1, 1, 1, 'at_least at_most divided_by minus modulo plus times'),
  ...names('list', 0, 0, 15, 'compact reverse'),
  ...names('list', 0, 0, 80, 'uniq'),
  ...names('list', 1, 1, 15, 'concat'),
  ...names('flat list', 0, 1, 20, 'join'),
  ...names('any', 0, 0, 0, 'first last size'),
];

export const standardFilters: ReadonlyMap<string, Filter> = new Map(
  rows.map(([name, takes, minArgs, maxArgs, weight]) => [
    name,
    { minArgs, maxArgs, apply: adapt(name, takes, weight) },
  ]),
);

function names(takes: Takes, minArgs: number, maxArgs: number, weight: number, list: string): Row[] {
  return list.split(' ').map((name) => [name, takes, minArgs, maxArgs, weight]);
}

function adapt(name: string, takes: Takes, weight: number): Filter['apply'] {
  const handler = handlerOf(name, libraryFilters[name]);
  return (input, args, work) => {
    const accepted = accept(name, takes, input);
    payFor(accepted, weight, work);
    for (const argument of args) payFor(argument, weight, work);
    const context = new Context({}, engine.options, { sync: true, memoryLimit: work.left });
    let result: unknown;
    try {
      result = toValueSync(handler.apply({ context, liquid: engine }, [accepted, ...args]));
    } catch {
      throw failed(name, 'it cannot be applied to this input');
    }
    const settled = settle(name, result);
    payFor(settled, weight, work);
    return settled;
  };
}

interface LibraryThis {
  readonly context: Context;
  readonly liquid: Liquid;
}

type Handler = (this: LibraryThis, ...args: readonly unknown[]) => unknown;

function handlerOf(name: string, implementation: FilterImplOptions | undefined): Handler {
  const handler = typeof implementation === 'function' ? implementation : implementation?.handler;
  if (!handler) throw new Error(`liquidjs has no filter ${name}`);
  return handler as Handler;
}

function accept(name: string, takes: Takes, input: Value): JsonValue {
  if (input instanceof Uint8Array) throw failed(name, 'its input must not be bytes');
  if (takes === 'any' || input === null) return input;
  if (takes === 'list' || takes === 'flat list') {
    if (!Array.isArray(input)) throw failed(name, 'its input must be an array');
    const flat = takes === 'list' || input.every((item) => typeof item !== 'object' || item === null);
    if (!flat) throw failed(name, 'its input must be an array of text, numbers or booleans');
    return input;
  }
  return typeof input === 'number' ? input : scalarText(name, input);
}

/** Per element of a list that is converted to text, or copied. */
const perElement = 15;

/** Pays for the input or output of a filter. */
function payFor(value: JsonValue, weight: number, work: WorkBudget): void {
  work.spend(1);
  if (weight === 0) return;
  if (typeof value === 'string') work.spend(value.length * weight);
  else if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) work.spend(value.length * Math.max(weight, perElement));
    work.spendOn(value);
  }
}

/** JSON has no result of a division by zero. No result is null. */
function settle(name: string, result: unknown): JsonValue {
  if (result === undefined) return null;
  if (typeof result === 'number' && !Number.isFinite(result))
    throw failed(name, 'its result is not a number');
  return result as JsonValue;
}
