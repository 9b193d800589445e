import { JsonWalk } from '@glovebox/expressions/json-walk';
import { type Names, type UnknownName, memberPath, unknownParameters } from '@glovebox/openapi/known-names';
import { mostFindings, unknownName } from '@glovebox/platform/http/warnings';

import type { Exchange } from './exchange.ts';

type Checked = Pick<Exchange, 'known' | 'warnings'>;

/** Warns of query parameters that the address does not know. @throws AppError `strict` */
export function warnOfUnknownParameters({
  known,
  warnings,
  target,
}: Checked & Pick<Exchange, 'target'>): void {
  if (known === undefined || target.query === '') return;
  const unknown = unknownParameters(known.query, new URLSearchParams(target.query), mostFindings);
  warnings.add(unknown.map((name) => unknownName('parameter', name)));
}

/** The same for the properties of a JSON body. A body that is not JSON is refused where it is parsed. */
export function warnOfUnknownProperties({ known, warnings }: Checked, body: Buffer): void {
  const names = known?.body ?? null;
  if (names === null || body.length === 0) return;
  const found: UnknownName[] = [];
  try {
    search(new JsonWalk(body.toString()), names, '', found);
  } catch {
    return;
  }
  warnings.add(found.map((name) => unknownName('property', name)));
}

/** By recursion: the names are nested a few levels deep, and nothing below them is looked into. */
function search(walk: JsonWalk, names: Names | null, path: string, found: UnknownName[]): void {
  if (names !== null && walk.kind === 'object') searchMembers(walk, names, path, found);
  else if (names !== null && walk.kind === 'array') searchItems(walk, names, path, found);
  else walk.value();
}

function searchMembers(walk: JsonWalk, names: Names, path: string, found: UnknownName[]): void {
  walk.members((name) => {
    if (Object.hasOwn(names, name)) return search(walk, names[name] ?? null, memberPath(path, name), found);
    if (found.length < mostFindings)
      found.push({ path: memberPath(path, name), name, known: Object.keys(names) });
    walk.value();
  });
}

/** No list holds lists. */
function searchItems(walk: JsonWalk, names: Names, path: string, found: UnknownName[]): void {
  let index = 0;
  walk.items(() => {
    search(walk, walk.kind === 'array' ? null : names, `${path}[${index}]`, found);
    index += 1;
  });
}
