import { type WholeApplication, showApplication } from '../applications/application.ts';
import { type FormulaRow, showFormula } from '../formulas/formula.ts';
import type { Configuration, SealedConfiguration } from '../secrets/configuration.ts';

/** A reactor as it is stored. */
export interface ReactorRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly formula_id: string;
  readonly name: string;
  readonly sealed_configuration: SealedConfiguration;
  readonly application_id: string | null;
  /** Digits: a bigint of Postgres. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string | null;
  readonly modified_at: Date | null;
}

/** A reactor with what it refers to. */
export interface WholeReactor extends ReactorRow {
  readonly formula: FormulaRow;
  /** Undefined also when it was deleted since. */
  readonly application: WholeApplication | undefined;
}

/** What a request may set of a reactor. */
export interface ReactorInput {
  readonly name: string;
  readonly configuration: Configuration;
  readonly application: WholeApplication | undefined;
  /** Of a reactor that has code of its own instead of a formula. */
  readonly code: string | undefined;
}

/** A reactor as the API shows it (contract/reactors.md#reactor-object). */
export function showReactor(reactor: WholeReactor, configuration: Configuration): object {
  return {
    id: reactor.id,
    tenant_id: reactor.tenant_id,
    name: reactor.name,
    formula: reactor.formula.inline ? undefined : showFormula(reactor.formula),
    code: reactor.formula.inline ? reactor.formula.code : undefined,
    application: reactor.application === undefined ? undefined : showApplication(reactor.application),
    configuration,
    // Code is checked before it is stored, and published before the answer: there is nothing to wait for.
    state: 'active',
    created_by: reactor.created_by,
    created_at: reactor.created_at.toISOString(),
    modified_by: reactor.modified_by ?? undefined,
    modified_at: reactor.modified_at?.toISOString(),
  };
}
