import { isDeepStrictEqual } from 'node:util';

import type { Fields, RowOf } from '../fields/column.ts';
import type { SealedConfiguration } from '../secrets/sealer.ts';

type VersionedName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly fixed: true } | { readonly unversioned: true } ? never : Name;
}[keyof F];

/** The columns that a version consists of. */
export type VersionedFields<F extends Fields> = Pick<F, VersionedName<F>>;

/** Their values. */
export type Definition<F extends Fields> = RowOf<VersionedFields<F>>;

/** The columns that an update may change, without those that describe the update itself. */
export function versionedFields<F extends Fields>(fields: F): VersionedFields<F> {
  return Object.fromEntries(versionedEntries(fields)) as VersionedFields<F>;
}

function versionedEntries(fields: Fields) {
  return Object.entries(fields).filter(
    ([, { fixed, unversioned }]) => fixed === undefined && unversioned === undefined,
  );
}

/** A stored definition; a column that is younger than it gets its default. */
export function readDefinition<F extends Fields>(
  fields: F,
  stored: Readonly<Record<string, unknown>>,
): Definition<F> {
  const values = versionedEntries(fields).map(([name, { absent = null }]) => [
    name,
    Object.hasOwn(stored, name) ? stored[name] : absent,
  ]);
  return Object.fromEntries(values) as Definition<F>;
}

/** Whether two rows are the same version. Sealed values are compared as they are stored. */
export function isSameDefinition<F extends Fields>(fields: F, a: RowOf<F>, b: RowOf<F>): boolean {
  const definitionOf = (row: RowOf<F>) => asStored(readDefinition(fields, row));
  return isDeepStrictEqual(definitionOf(a), definitionOf(b));
}

/** Properties that are undefined are not stored. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Names whose values differ from those before. */
export function changedSettings(
  before: SealedConfiguration | null,
  after: SealedConfiguration | null,
): string[] {
  const known = new Map(Object.entries(before ?? {}));
  return Object.entries(after ?? {})
    .filter(([name, sealed]) => known.get(name) !== sealed)
    .map(([name]) => name);
}
