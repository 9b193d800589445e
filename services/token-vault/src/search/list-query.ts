import { longestContainer } from '@glovebox/access/access-limits';
import { parseContainer } from '@glovebox/access/container';

import type { TokenFilter } from '../store/token-filter.ts';
import { metadataText } from '../tokens/read-fields.ts';
import { isJsonObject } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import { type PageRequest, readPageRequest } from './page-request.ts';

export interface ListQuery {
  readonly filter: TokenFilter;
  readonly page: PageRequest;
}

const repeatable = ['id', 'type', 'fingerprint'] as const;
const metadata = 'metadata.';

/** The query of `GET /tokens` (contract/tokens.md#operations): all filters must match; unknown parameters are ignored. */
export function readListQuery(
  text: string,
  byCursor: boolean,
  pageSize: number,
  report: ReportProblem,
): ListQuery {
  const query = new URLSearchParams(text);
  const single = (name: string) => query.get(name) ?? undefined;
  const of: TokenFilter[] = [];
  for (const kind of repeatable) {
    const values = query.getAll(kind).filter((value) => value !== '');
    if (values.length > 0) of.push({ kind, values });
  }
  const container = single('container') ?? '';
  if (container !== '') {
    const value = parseContainer(container, longestContainer);
    if (value === null) report('container', 'must be a path such as /pci/high/');
    else of.push({ kind: 'container_prefix', value });
  }
  for (const [name, value] of metadataOf(query, report)) of.push({ kind: 'metadata', name, value });
  const fields = { page: single('page'), size: single('size'), start: single('start') };
  return { filter: { kind: 'and', of }, page: readPageRequest(fields, byCursor, pageSize, report) };
}

/** `metadata.<key>=<value>`, the first of each key; newer clients send one JSON object. */
function metadataOf(query: URLSearchParams, report: ReportProblem): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>();
  for (const [name, value] of query) {
    const key = name.startsWith(metadata) ? name.slice(metadata.length) : '';
    if (key !== '' && !wanted.has(key)) wanted.set(key, value);
  }
  const json = query.get('metadata') ?? '';
  if (json === '') return wanted;
  const entries = textEntries(json);
  if (entries === undefined) report('metadata', 'must be a JSON object of text');
  for (const [key, value] of entries ?? []) if (!wanted.has(key)) wanted.set(key, value);
  return wanted;
}

function textEntries(json: string): [string, string][] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, metadataText(item)]);
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return entries.every(isText) ? entries : undefined;
}
