import type { JsonValue } from '../../../services/token-vault/src/values/json-value.ts';

/** What the reference says of one filter. Results and messages are not written here: the page computes them. */
export interface FilterDescription {
  readonly name: string;
  /** One or two sentences. */
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** An input, and the filters that are applied to it; the first begins with this filter. */
  readonly examples: readonly Example[];
  /** Inputs and filters that are refused. */
  readonly refusals: readonly Example[];
}

interface Parameter {
  readonly name: string;
  readonly type: 'count' | 'text' | 'character' | 'true or false' | 'number' | 'whole number' | 'list' | 'any';
  readonly meaning: string;
  /** As it is written in an expression; empty where nothing takes the place of a missing argument. */
  readonly default?: string;
  /** It is written `name: value`. */
  readonly isNamed?: true;
}

/** @param like where the result is random: what every result looks like, and one to show */
type Example = readonly [
  input: JsonValue,
  filters: string,
  like?: { readonly pattern: RegExp; readonly shown: string },
];

export interface FilterGroup {
  readonly title: string;
  readonly about?: string;
  readonly filters: readonly FilterDescription[];
}

/** A parameter that must be given. */
export function needs(name: string, type: Parameter['type'], meaning: string): Parameter {
  return { name, type, meaning };
}

/** A parameter that may be left out. */
export function may(
  name: string,
  type: Parameter['type'],
  fallback: string,
  meaning: string,
): Parameter {
  return { name, type, meaning, default: fallback };
}

export function filter(
  name: string,
  summary: string,
  parameters: readonly Parameter[],
  examples: readonly Example[],
  refusals: readonly Example[] = [],
): FilterDescription {
  return { name, summary, parameters, examples, refusals };
}
