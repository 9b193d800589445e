import { type WholeApplication, showApplication } from '../applications/fields.ts';
import {
  type RowOf,
  column,
  created,
  modified,
  optionalText,
  shownFields,
  text,
  version,
} from '../fields/column.ts';
import { responseGuard } from '../fields/response-guard.ts';
import type { SentColumns } from '../fields/sent.ts';
import { type FormulaRow, showFormula } from '../formulas/fields.ts';
import type { Configuration, SealedConfiguration } from '../secrets/sealer.ts';

export const reactorFields = {
  id: text({ fixed: true, published: true }),
  tenant_id: text({ fixed: true, published: true }),
  name: text({ published: true }),
  formula_id: text({ as: 'formula', fixed: true, hidden: true, published: true }),
  application_id: optionalText({ as: 'application', hidden: true, published: '' }),
  sealed_configuration: column<SealedConfiguration>()({ as: 'configuration', json: true, hidden: true }),
  response_guard: responseGuard,
  /** Hosts that the code may reach; null: whatever the tenant's egress policy allows. */
  allowed_destinations: column<readonly string[] | null>()({ json: true }),
  version,
  /** How often a change of the formula has raised the version; the rest of it are the reactor's own versions. */
  formula_changes: version,
  ...created,
  ...modified,
};

/** A reactor as it is stored. */
export type ReactorRow = RowOf<typeof reactorFields>;

/** A reactor with what it refers to. */
export type WholeReactor = ReactorRow & {
  readonly formula: FormulaRow;
  /** Undefined also when it was deleted since. */
  readonly application: WholeApplication | undefined;
};

/** What a request may set of a reactor. */
export interface ReactorInput {
  readonly name: string;
  readonly columns: SentColumns<typeof reactorFields>;
  readonly configuration: Configuration;
  readonly application: WholeApplication | undefined;
  readonly allowedDestinations: readonly string[] | null;
  /** Of a reactor that has code of its own instead of a formula. */
  readonly code: string | undefined;
}

/** A reactor as the API shows it (contract/reactors.md#reactor-object). */
export function showReactor(reactor: WholeReactor, configuration: Configuration): object {
  const { formula, application } = reactor;
  return shownFields(reactorFields, reactor, {
    formula: formula.inline ? undefined : showFormula(formula),
    code: formula.inline ? formula.code : undefined,
    application: application === undefined ? undefined : showApplication(application),
    configuration,
    // Code is checked before it is stored, and published before the answer: a stored reactor is always active.
    state: 'active',
  });
}
