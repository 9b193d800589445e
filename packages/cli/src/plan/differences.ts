import { type Json, type JsonObject, isObject } from '../api/json.ts';
import { equal } from './normalise.ts';

/** One member that is to change. */
export interface Difference {
  /** Such as `rules[0].container`. */
  readonly path: string;
  /** Absent: the member is new, or its value is not shown. */
  readonly before?: Json;
  /** Absent: the member goes, or its value is not shown. */
  readonly after?: Json;
  /** Values of a configuration are never shown. */
  readonly secret?: true;
}

/** What differs, member by member. */
export function differences(before: JsonObject, after: JsonObject, path = ''): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) =>
    compare(own(before, name), own(after, name), path === '' ? name : `${path}.${name}`),
  );
}

/** A member may have any name, also that of one which every object inherits. */
function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function compare(before: Json | undefined, after: Json | undefined, path: string): Difference[] {
  if (before !== undefined && after !== undefined && equal(before, after)) return [];
  if (isObject(before) && isObject(after)) return differences(before, after, path);
  if (path === 'configuration' && (isObject(before) || isObject(after))) {
    return differences(isObject(before) ? before : {}, isObject(after) ? after : {}, path);
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => compare(before[index], item, `${path}[${index}]`));
  }
  if (path.startsWith('configuration.')) return [{ path, secret: true }];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}
