import type { DeclaredType } from '@glovebox/published/declared-type';

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

/** A formula as it is stored. All are private and verified: nobody makes official ones. */
export interface FormulaRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly code: string;
  readonly configuration: readonly SettingDeclaration[];
  readonly request_parameters: readonly ParameterDeclaration[];
  /** Of one reactor alone, which was given code instead of a formula. */
  readonly inline: boolean;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

/** What a request may set of a formula. */
export type FormulaInput = Pick<
  FormulaRow,
  'name' | 'description' | 'icon' | 'code' | 'configuration' | 'request_parameters'
>;

/** A formula as the API shows it (contract/reactors.md#formulas). */
export function showFormula(row: FormulaRow): object {
  return {
    id: row.id,
    type: 'private',
    status: 'verified',
    name: row.name,
    description: row.description ?? undefined,
    icon: row.icon ?? undefined,
    code: row.code,
    configuration: row.configuration.map(showSetting),
    request_parameters: row.request_parameters.map((parameter) => ({
      ...showSetting(parameter),
      optional: parameter.optional,
    })),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}

/** The database keeps no order of properties. */
function showSetting({ name, description, type }: SettingDeclaration): object {
  return { name, description, type };
}
