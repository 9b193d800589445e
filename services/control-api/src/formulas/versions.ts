import { shownFields } from '../fields/column.ts';
import { readDefinition, versionedFields } from '../versions/definition.ts';
import type { VersionedKind } from '../versions/kind.ts';
import { versionTable } from '../versions/version-table.ts';
import { formulaFields } from './fields.ts';

const fields = versionedFields(formulaFields);

/** A reactor's own code is part of the reactor's versions instead. */
export const formulaVersions: VersionedKind = {
  name: 'reactor formula',
  ...versionTable({
    table: 'reactor_formula_versions',
    from: 'reactor_formulas r',
    fields: formulaFields,
    version: 'r.version',
    only: 'NOT r.inline',
  }),
  show: (stored) => shownFields(fields, readDefinition(formulaFields, stored), { type: 'private' }),
};
