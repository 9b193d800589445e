import { type Json, type JsonObject, isObject } from '../api/json.ts';
import { type Difference, differences } from './differences.ts';

/**
 * What differs between two versions of one resource, as the API shows them. Values of a configuration are not shown: a version
 * says of each whether it differs from that in the version before, so of others nobody knows.
 */
export function versionDifferences(before: JsonObject, after: JsonObject): Difference[] {
  const [old, now] = [definitionOf(before), definitionOf(after)];
  const { configuration: oldMarks = {}, ...rest } = old;
  const { configuration: newMarks = {}, ...others } = now;
  // A formula declares names there.
  if (!isObject(oldMarks) || !isObject(newMarks)) return differences(old, now);
  const isNext = Number(after['version']) === Number(before['version']) + 1;
  const areSure = isNext && before['draft'] !== true && after['draft'] !== true;
  const names = [...new Set([...Object.keys(oldMarks), ...Object.keys(newMarks)])].toSorted();
  const secrets = names.filter(
    (name) =>
      !Object.hasOwn(oldMarks, name) ||
      !Object.hasOwn(newMarks, name) ||
      !areSure ||
      isMarked(newMarks[name]),
  );
  const paths = secrets.map((name): Difference => ({ path: `configuration.${name}`, secret: true }));
  return [...paths, ...differences(rest, others)];
}

const isMarked = (value: Json | undefined): boolean => isObject(value) && value['changed'] === true;

function definitionOf({ definition }: JsonObject): JsonObject {
  return isObject(definition) ? definition : {};
}
