import type { DataPath } from '../expressions/paths-read.ts';
import { own, type JsonValue, isJsonObject } from '../values/json-value.ts';

/** Whether a merge patch (RFC 7396) replaces all of a value. */
export function replacesAll(current: JsonValue, patch: JsonValue): boolean {
  if (!isJsonObject(patch) || !isJsonObject(current)) return true;
  return Object.entries(current).every(([name, value]) => {
    const replacement = own(patch, name);
    return replacement !== undefined && replacesAll(value, replacement);
  });
}

/** Whether a merge patch contains something on which the value at a path depends. */
export function touchesAt(patch: JsonValue, [name, ...rest]: DataPath): boolean {
  if (!isJsonObject(patch)) return true;
  // Without a member of that name, `size` is the number of members.
  if (name === undefined || name === 'size') return Object.keys(patch).length > 0;
  const part = own(patch, name);
  return part !== undefined && touchesAt(part, rest);
}

/** Whether the value at a path comes from the merge patch alone. */
export function replacesAt(current: JsonValue, patch: JsonValue, [name, ...rest]: DataPath): boolean {
  if (!isJsonObject(patch)) return true;
  if (name === undefined) return replacesAll(current, patch);
  const value = own(patch, name);
  if (value === undefined || (value === null && name === 'size')) return false;
  const before = isJsonObject(current) ? own(current, name) : undefined;
  return replacesAt(before ?? null, value, rest);
}
