import type { DeclaredType } from '@glovebox/published/declared-type';

import {
  type RowOf,
  column,
  created,
  flag,
  modified,
  optionalText,
  shownFields,
  text,
  version,
} from '../fields/column.ts';

/** A name and type that a reactor's configuration must have. */
export interface SettingDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly type: DeclaredType;
}

/** An argument that a reactor takes; dots in its name lead into nested objects. */
export interface ParameterDeclaration extends SettingDeclaration {
  readonly optional: boolean;
}

export const formulaFields = {
  id: text({ fixed: true }),
  tenant_id: text({ fixed: true, hidden: true }),
  name: text({}),
  description: optionalText({}),
  icon: optionalText({}),
  code: text({}),
  configuration: column<readonly SettingDeclaration[]>()({
    json: true,
    show: (declared: readonly SettingDeclaration[]) => declared.map(showSetting),
  }),
  request_parameters: column<readonly ParameterDeclaration[]>()({
    json: true,
    show: (declared: readonly ParameterDeclaration[]) =>
      declared.map((parameter) => ({ ...showSetting(parameter), optional: parameter.optional })),
  }),
  /** Belongs to one reactor, which was given code instead of a formula. */
  inline: flag({ fixed: true, hidden: true }),
  version,
  ...created,
  ...modified,
};

/** A formula as it is stored. Every formula is private and verified; there are no official ones. */
export type FormulaRow = RowOf<typeof formulaFields>;

/** What a request may set of a formula. */
export type FormulaInput = Pick<
  FormulaRow,
  'name' | 'description' | 'icon' | 'code' | 'configuration' | 'request_parameters'
>;

/** A formula as the API shows it (contract/reactors.md#formulas). */
export function showFormula(row: FormulaRow): object {
  return shownFields(formulaFields, row, { type: 'private', status: 'verified' });
}

/** jsonb does not keep the order of properties. */
function showSetting({ name, description, type }: SettingDeclaration): object {
  return { name, description, type };
}
