import type { Difference, DifferenceKind } from './shadow-figures.ts';
import type { ShownName } from './shown-names.ts';

/** Beyond it a text is compared as a whole: parsing takes time from other requests. */
export const mostParsedBytes = 65_536;
const deepest = 8;
/** Differences of one request. */
const most = 20;

/** Each place once, and at most as many as one request may count. */
export function boundedDifferences(all: Iterable<Difference>): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const one of all) {
    found.set(`${one.kind} ${one.path}`, one);
    if (found.size === most) break;
  }
  return [...found.values()];
}

/** Where two JSON values differ; paths hold no value (contract/rollouts.md#shadow). */
export function* compareJson(
  present: unknown,
  second: unknown,
  path: string,
  shown: ShownName,
  depth = 0,
): Generator<Difference> {
  if (present === second) return;
  const kind: DifferenceKind = kindOf(present) === kindOf(second) ? 'value' : 'type';
  if (kind === 'type' || !isObject(present) || !isObject(second)) yield { path, kind };
  else if (depth === deepest) {
    if (JSON.stringify(present) !== JSON.stringify(second)) yield { path, kind };
  } else {
    const isList = Array.isArray(present);
    const at = (name: string) => `${path}/${isList ? '*' : shown(name)}`;
    const [old, now] = [new Map(Object.entries(present)), new Map(Object.entries(second))];
    for (const [name, value] of old) {
      if (!now.has(name)) yield { path: at(name), kind: 'removed' };
      else yield* compareJson(value, now.get(name), at(name), shown, depth + 1);
    }
    for (const name of now.keys()) if (!old.has(name)) yield { path: at(name), kind: 'added' };
  }
}

/** Numbers that would lose digits are read as their text. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, longNumber.test(text) ? keepDigits : undefined);
}

const longNumber = /\d{16}/;

const keepDigits = ((_name: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value) as (
  name: string,
  value: unknown,
) => unknown;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
