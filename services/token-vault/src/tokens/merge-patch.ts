import { isJsonObject, type JsonValue } from '../values/json-value.ts';

/**
 * RFC 7396: objects merge, null removes a member, and whatever else is in the patch replaces what was there. Both must
 * be of bounded depth, as every body and all data of a token are.
 */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  // A map, because a member may be called like the prototype.
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name) ?? null, value));
  }
  return Object.fromEntries(merged);
}
