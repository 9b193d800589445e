import type { VersionRow, VersionTable } from './version-table.ts';

/** What versions of one kind of resources need. */
export interface VersionedKind extends VersionTable {
  /** In a sentence: `proxy`. */
  readonly name: string;
  /** A definition as the API shows it. @param marks stand for the values of the configuration */
  readonly show: (definition: VersionRow['definition'], marks: SettingMarks) => object;
}

/** By the names of a configuration. */
export type SettingMarks = Readonly<Record<string, { readonly changed: boolean }>>;

/** A version as the API shows it (contract/versions.md#version-object). */
export function showVersion(kind: VersionedKind, row: VersionRow): object {
  return { ...showOutline(row), definition: kind.show(row.definition, marksOf(row)) };
}

/** The same without its definition. */
export function showOutline({ version, created_at, created_by, comment, draft }: VersionRow): object {
  return {
    version: Number(version),
    created_at: created_at.toISOString(),
    created_by,
    comment: comment ?? undefined,
    draft: draft || undefined,
  };
}

function marksOf({ definition, changed_settings: changed }: VersionRow): SettingMarks {
  const names = Object.keys((definition['sealed_configuration'] ?? {}) as object);
  return Object.fromEntries(names.map((name) => [name, { changed: changed?.includes(name) ?? true }]));
}
