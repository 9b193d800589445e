import { JSONPathEnvironment, jsonpath, type JSONPathQuery } from 'json-p3';
import { LRUCache } from 'lru-cache';

import type { JsonObject, JsonValue } from '../../values/json-value.ts';
import { type WorkBudget, most } from '../expression-limits.ts';
import { failed } from './filter.ts';
import { meter } from './meter-json-path.ts';

/** Finds the one value that a path selects; null if there is none. */
export type JsonPath = (root: JsonObject | JsonValue[], work: WorkBudget) => JsonValue;

/** Deeper than token data may be nested (tokens/data-limits.ts). */
const maxDepth = 110;

const environment = new JSONPathEnvironment({ maxRecursionDepth: maxDepth });
// Their regular expressions come from the caller and can backtrack exponentially.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

interface CompiledPath {
  readonly find: JsonPath;
  /** Set for a path that selects at most one value. */
  readonly steps: Steps | undefined;
}

type Steps = readonly (string | number)[];

const compiled = new LRUCache<string, CompiledPath>({ max: 2000 });

/** Units of work per character of a parsed path. */
const workPerCharacter = 1000;

/** @param work pays for a path that is not cached; absent where the total length is limited */
export function compileJsonPath(text: string, work?: WorkBudget): JsonPath {
  return compile(text, work).find;
}

/** Whether a singular path, as nearly all are, selects nothing. False for other paths. */
export function namesNothing(text: string, root: JsonObject | JsonValue[]): boolean {
  const { steps } = compile(text);
  return steps !== undefined && follow(steps, root) === undefined;
}

function compile(text: string, work?: WorkBudget): CompiledPath {
  const known = compiled.get(text);
  if (known) return known;
  work?.spend(text.length * workPerCharacter);
  const query = parse(text);
  const steps = singularSteps(query);
  const path = { steps, find: steps ? followSteps(steps) : runQuery(query) };
  compiled.set(text, path);
  return path;
}

function parse(text: string): JSONPathQuery {
  if (text.length > most.length) throw failed('json', 'its path is too long');
  try {
    return environment.compile(text);
  } catch {
    try {
      return environment.compile(quoteHyphenatedNames(text));
    } catch {
      throw failed('json', 'its path is not a valid JSONPath (RFC 9535, without match and search)');
    }
  }
}

/** `$.headers.X-Date` is not valid in RFC 9535, but was in earlier drafts, and the vendor's documentation uses it. */
function quoteHyphenatedNames(text: string): string {
  return /^\$(\.[\w-]+|\[\d+\])+$/.test(text) ? text.replace(/\.([\w-]+)/g, "['$1']") : text;
}

/** The names and indexes of a path that selects at most one value. */
function singularSteps(query: JSONPathQuery): (string | number)[] | undefined {
  if (!query.singularQuery()) return undefined;
  const steps: (string | number)[] = [];
  for (const { selectors } of query.segments) {
    const selector = selectors[0];
    if (selector instanceof jsonpath.selectors.NameSelector) steps.push(selector.name);
    else if (selector instanceof jsonpath.selectors.IndexSelector) steps.push(selector.index);
    else return undefined;
  }
  return steps;
}

/** Looking up a property takes time in proportion to the length of its name. */
function followSteps(steps: Steps): JsonPath {
  const cost = steps.reduce<number>((sum, step) => sum + 1 + (typeof step === 'string' ? step.length : 0), 0);
  return (root, work) => {
    work.spend(cost);
    return follow(steps, root) ?? null;
  };
}

function follow(steps: Steps, root: JsonValue): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = typeof step === 'number' ? value.at(step) : undefined;
    else value = typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function runQuery(query: JSONPathQuery): JsonPath {
  const metered = meter(query);
  return (root, work) => {
    const found: JsonValue[] = [];
    try {
      for (const value of metered(root, work)) {
        found.push(value);
        if (found.length > 1) break;
      }
    } catch (error) {
      // The library's errors are about depth; those of the meter must pass unchanged.
      if (error instanceof jsonpath.JSONPathError || error instanceof RangeError) {
        throw failed('json', 'its path cannot be followed in this value');
      }
      throw error;
    }
    if (found.length > 1) throw failed('json', 'its path gives more than one value');
    return found[0] ?? null;
  };
}
