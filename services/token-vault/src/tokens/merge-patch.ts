import { isJsonObject, type JsonValue } from '../values/json-value.ts';

/** RFC 7396: objects merge, null removes a member, any other value replaces. Both values must be of bounded depth. */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  // A map, because a member may be named `__proto__`.
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name) ?? null, value));
  }
  return Object.fromEntries(merged);
}
