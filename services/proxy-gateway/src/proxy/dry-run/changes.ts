import { pointerStep } from '@glovebox/expressions/places';

/** An operation of a JSON Patch (RFC 6902). */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

const mostChanges = 100;
const deepest = 32;

/** What turns one JSON value into another, at most 100 operations; beyond that, or far down, a part is replaced whole. */
export function changesBetween(before: unknown, after: unknown): readonly Change[] {
  const changes = [...differences(before, after, '', 0)];
  return changes.length > mostChanges ? [{ op: 'replace', path: '', value: after }] : changes;
}

function* differences(before: unknown, after: unknown, path: string, depth: number): Generator<Change> {
  if (before === after) return;
  if (
    !isObject(before) ||
    !isObject(after) ||
    Array.isArray(before) !== Array.isArray(after) ||
    depth > deepest
  ) {
    if (JSON.stringify(before) !== JSON.stringify(after)) yield { op: 'replace', path, value: after };
    return;
  }
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  // From the end, so that the places of those before it stay.
  for (const name of [...old.keys()].toReversed()) {
    if (!now.has(name)) yield { op: 'remove', path: path + pointerStep(name) };
  }
  for (const [name, value] of now) {
    const at = path + pointerStep(name);
    if (old.has(name)) yield* differences(old.get(name), value, at, depth + 1);
    else yield { op: 'add', path: at, value };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
