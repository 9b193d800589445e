import type { Version, VersionDifference } from './models/version.ts';

type Members = Readonly<Record<string, unknown>>;

/** What differs between two versions of the same resource, member by member, in the order of the names. */
export function versionDifferences(from: Version<object>, to: Version<object>): VersionDifference[] {
  const [before, after] = [from.definition, to.definition] as [Members, Members];
  const { configuration: oldMarks, ...rest } = before;
  const { configuration: newMarks, ...others } = after;
  if (Array.isArray(oldMarks) || Array.isArray(newMarks)) return ofMembers(before, after, '');
  const isNext = to.version === from.version + 1 && from.draft !== true && to.draft !== true;
  return [
    ...ofConfiguration(membersOf(oldMarks), membersOf(newMarks), isNext),
    ...ofMembers(rest, others, ''),
  ];
}

/** Values are never shown; a version says of each only whether it differs from that of the version before. */
function ofConfiguration(before: Members, after: Members, isNext: boolean): VersionDifference[] {
  return namesOf(before, after).flatMap((name): VersionDifference[] => {
    const path = `configuration.${name}`;
    if (!Object.hasOwn(before, name)) return [{ path, change: 'added' }];
    if (!Object.hasOwn(after, name)) return [{ path, change: 'removed' }];
    if (!isNext) return [{ path, change: 'unknown' }];
    return membersOf(after[name])['changed'] === true ? [{ path, change: 'changed' }] : [];
  });
}

function ofMembers(before: Members, after: Members, root: string): VersionDifference[] {
  return namesOf(before, after).flatMap((name) => {
    const path = root === '' ? name : `${root}.${name}`;
    if (!Object.hasOwn(before, name)) return [{ path, change: 'added', after: after[name] }];
    if (!Object.hasOwn(after, name)) return [{ path, change: 'removed', before: before[name] }];
    return ofValues(before[name], after[name], path);
  });
}

function ofValues(before: unknown, after: unknown, path: string): VersionDifference[] {
  if (isObject(before) && isObject(after)) return ofMembers(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => ofValues(item, after[index], `${path}[${index}]`));
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : [{ path, change: 'changed', before, after }];
}

function namesOf(before: Members, after: Members): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
