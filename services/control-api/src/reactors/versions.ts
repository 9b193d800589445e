import { shownFields } from '../fields/column.ts';
import { readDefinition, versionedFields } from '../versions/definition.ts';
import type { VersionedKind } from '../versions/kind.ts';
import { type VersionRow, versionTable } from '../versions/version-table.ts';
import { type ReactorRow, reactorFields } from './fields.ts';

const fields = versionedFields(reactorFields);

/** A change of the formula makes no version of its reactors. */
export const reactorVersions: VersionedKind = {
  name: 'reactor',
  ...versionTable({
    table: 'reactor_versions',
    from: 'reactors r JOIN reactor_formulas f ON (f.tenant_id, f.id) = (r.tenant_id, r.formula_id)',
    fields: reactorFields,
    version: 'r.version - r.formula_changes',
    rollouts: 'reactor_rollouts',
    more: { formula_id: 'r.formula_id', code: 'CASE WHEN f.inline THEN f.code END' },
  }),
  show(stored, marks) {
    const { application_id: id } = readDefinition(reactorFields, stored);
    const code = ownCodeOf(stored);
    return shownFields(fields, readDefinition(reactorFields, stored), {
      formula: code === undefined ? { id: stored['formula_id'] } : undefined,
      code,
      application: id === null ? undefined : { id },
      configuration: marks,
    });
  },
};

/** The version that the API shows: what is published counts changes of the formula too. */
export function reactorVersion({
  version,
  formula_changes,
}: Pick<ReactorRow, 'version' | 'formula_changes'>): string {
  return String(BigInt(version) - BigInt(formula_changes));
}

/** The reverse of `reactorVersion`. */
export function publishedVersion(
  { formula_changes }: Pick<ReactorRow, 'formula_changes'>,
  version: string,
): string {
  return String(BigInt(version) + BigInt(formula_changes));
}

/** Of a reactor without a formula. */
export function ownCodeOf(definition: VersionRow['definition']): string | undefined {
  return (definition['code'] as string | null | undefined) ?? undefined;
}
