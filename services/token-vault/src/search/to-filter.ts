import { longestContainer } from '@glovebox/access/access-limits';
import { parseContainer } from '@glovebox/access/container';

import type { Limit, TokenFilter } from '../store/token-filter.ts';
import { type Moment, parseMoment } from './moment.ts';
import { type End, type Range, type SearchQuery, SearchQueryError, type Term } from './query.ts';

export interface FilterOptions {
  /** The keyed hashes under which a search index may store a value. */
  readonly hashesOf: (value: string) => readonly Buffer[];
  /** A container includes everything below it, as in later versions of the API. */
  readonly containersCover: boolean;
}

const exact = ['id', 'type', 'fingerprint', 'created_by', 'modified_by'] as const;
const times = ['created_at', 'modified_at'] as const;
const metadata = 'metadata.';

/** @throws SearchQueryError for an unknown field, or an invalid value */
export function filterOf(query: SearchQuery, options: FilterOptions): TokenFilter {
  switch (query.kind) {
    case 'and':
    case 'or':
      return { kind: query.kind, of: query.of.map((part) => filterOf(part, options)) };
    case 'not':
      return { kind: 'not', of: filterOf(query.of, options) };
    case 'term':
      return filterOfTerm(query, options);
    default:
      return filterOfRange(query);
  }
}

function filterOfTerm({ field, value }: Term, options: FilterOptions): TokenFilter {
  const name = exact.find((candidate) => candidate === field);
  if (name !== undefined) return { kind: name, values: [value] };
  if (field === 'data') return filterOfHashes(options.hashesOf(value));
  if (field === 'container') return filterOfContainer(value, options.containersCover);
  if (field.startsWith(metadata) && field !== metadata) {
    return { kind: 'metadata', name: field.slice(metadata.length), value };
  }
  const time = times.find((candidate) => candidate === field);
  if (time === undefined) throw new SearchQueryError(unknownField);
  const { first, end } = momentOf(value);
  return { kind: time, from: { at: first, inclusive: true }, to: end };
}

function filterOfHashes(hashes: readonly Buffer[]): TokenFilter {
  const filters = hashes.map((hash) => ({ kind: 'search_hash', hash }) as const);
  return filters.length === 1 && filters[0] !== undefined ? filters[0] : { kind: 'or', of: filters };
}

const unknownField = `names an unknown field; there are ${[...exact, 'data', 'container', 'metadata.<key>', ...times].join(', ')}`;

function filterOfContainer(value: string, covers: boolean): TokenFilter {
  const below = value.endsWith('/*');
  const container = parseContainer(below ? value.slice(0, -1) : value, longestContainer);
  if (container === null) {
    throw new SearchQueryError('container must be a path such as /pci/high/, or /pci/* for all below it');
  }
  return { kind: below || covers ? 'container_prefix' : 'container', value: container };
}

function filterOfRange({ field, from, to }: Range): TokenFilter {
  const time = times.find((candidate) => candidate === field);
  if (time === undefined) throw new SearchQueryError('has a range for a field that is not a time');
  return { kind: time, from: from && startOf(from), to: to && endOf(to) };
}

/** A date means the whole day, so an exclusive bound excludes all of it. */
function startOf({ text, inclusive }: End): Limit {
  const { first, end } = momentOf(text);
  return inclusive ? { at: first, inclusive: true } : { at: end.at, inclusive: !end.inclusive };
}

function endOf({ text, inclusive }: End): Limit {
  const { first, end } = momentOf(text);
  return inclusive ? end : { at: first, inclusive: false };
}

function momentOf(text: string): Moment {
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  throw new SearchQueryError(
    'a time must be an ISO 8601 date or date and time, such as 2030-04-23T17:24:28Z',
  );
}
