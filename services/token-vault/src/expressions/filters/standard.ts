import { Context, filters as libraryFilters, Liquid, toValueSync, type FilterImplOptions } from 'liquidjs';

import { most } from '../expression-limits.ts';
import type { JsonValue } from '../json-value.ts';
import type { Work } from '../work.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';

/**
 * Liquid's standard filters for text, arrays and numbers (api-facts 4.5), by liquidjs. Its engine never renders a
 * template here, so there are no tags. What it needs is the library's memory limit, which the filters whose result can
 * be much larger than their input (`replace`, `join`) ask before they build it.
 *
 * Not taken over: `date` (no text, array or number filter; its patterns can be made to pad without end), everything
 * that takes an expression or a random order, and Jekyll's additions.
 */
const engine = new Liquid({ strictFilters: true, ownPropertyOnly: true, parseLimit: most.length });

/** What a filter takes: `text` any scalar or null; `list` an array or null; `flat list` one without lists in it. */
type Takes = 'text' | 'list' | 'flat list' | 'any';

type Row = readonly [name: string, takes: Takes, minArgs: number, maxArgs: number];

const rows: readonly Row[] = [
  ...names(
    'text',
    0,
    0,
    'capitalize downcase upcase strip lstrip rstrip strip_newlines newline_to_br squish',
  ),
  ...names('text', 0, 0, 'escape escape_once strip_html url_encode url_decode base64_encode base64_decode'),
  ...names('text', 1, 1, 'append prepend remove remove_first remove_last split'),
  ...names('text', 1, 2, 'replace replace_first replace_last'),
  ...names('text', 0, 2, 'truncate truncatewords'),
  ...names('text', 0, 0, 'abs ceil floor'),
  ...names('text', 0, 1, 'round'),
  ...names('text', 1, 1, 'at_least at_most divided_by minus modulo plus times'),
  ...names('list', 0, 0, 'compact reverse uniq'),
  ...names('list', 1, 1, 'concat'),
  ...names('flat list', 0, 1, 'join'),
  ...names('any', 0, 0, 'first last size'),
];

export const standardFilters: ReadonlyMap<string, Filter> = new Map(
  rows.map(([name, takes, minArgs, maxArgs]) => [name, { minArgs, maxArgs, apply: adapt(name, takes) }]),
);

function names(takes: Takes, minArgs: number, maxArgs: number, list: string): Row[] {
  return list.split(' ').map((name) => [name, takes, minArgs, maxArgs]);
}

function adapt(name: string, takes: Takes): Filter['apply'] {
  const handler = handlerOf(name, libraryFilters[name]);
  return (input, args, work) => {
    const accepted = accept(name, takes, input);
    payFor(accepted, work);
    for (const argument of args) payFor(argument, work);
    const context = new Context({}, engine.options, { sync: true, memoryLimit: work.left });
    let result: unknown;
    try {
      result = toValueSync(handler.apply({ context, liquid: engine }, [accepted, ...args]));
    } catch {
      throw failed(name, 'it cannot be applied to this input');
    }
    const settled = settle(name, result);
    payFor(settled, work);
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

/** One unit per character or element, and for what the elements hold. */
function payFor(value: JsonValue, work: Work): void {
  if (Array.isArray(value)) work.spendOn(value);
  else work.spend(typeof value === 'string' ? value.length : 1);
}

/** Division by zero has no JSON. Nothing, where a filter finds none, is null. */
function settle(name: string, result: unknown): JsonValue {
  if (result === undefined) return null;
  if (typeof result === 'number' && !Number.isFinite(result))
    throw failed(name, 'its result is not a number');
  return result as JsonValue;
}
