import { isJsonObject } from '@glovebox/platform/values/json-object';

const step = /\.(?<name>[A-Za-z_][\w-]*)|\['(?<quoted>[^']+)'\]|\[(?<index>\d+)\]/g;

/**
 * Sets what a JSONPath to one place names, and makes the objects that lead there.
 * @returns false where another value is in the way
 */
export function setAtPlace(root: unknown, path: string, value: unknown): boolean {
  const names = [...path.matchAll(step)].map(
    ({ groups = {} }) => groups['name'] ?? groups['quoted'] ?? Number(groups['index']),
  );
  let holder: unknown = root;
  for (const [at, name] of names.entries()) {
    // A number that is kept as it was written (destination-json.ts) is a frozen object.
    if (Object.isFrozen(holder)) return false;
    const last = at === names.length - 1;
    if (Array.isArray(holder)) {
      if (typeof name !== 'number' || name > holder.length) return false;
    } else if (!isJsonObject(holder) || typeof name === 'number') return false;
    const own = holder as Record<string | number, unknown>;
    if (last) own[name] = value;
    else if (!Object.hasOwn(own, name)) own[name] = {};
    holder = own[name];
  }
  return true;
}
