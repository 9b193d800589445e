import { validationError } from '@glovebox/platform/errors';
import type { Queryable } from '@glovebox/platform/postgres';
import * as z from 'zod';

import { readApplicationReference } from '../applications/reference.ts';
import type { FormulaRow } from '../formulas/formula.ts';
import { findFormula } from '../formulas/store.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  readShape,
  required,
  resourceName,
  textMap,
  uuid,
} from '../http/shape.ts';
import type { ReactorInput } from './reactor.ts';
import { readSettings } from './settings.ts';

const nameShape = z.object({ name: resourceName });
const formulaShape = z.object({ formula: z.object({ id: uuid }, required('must be an object')) });
const configurationShape = z.object({ configuration: textMap(25, z.unknown()) });

export interface NewReactor {
  readonly formula: FormulaRow;
  readonly input: ReactorInput;
}

/**
 * Reads the body of a create (section 4.6).
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readNewReactor(db: Queryable, tenantId: string, body: unknown): Promise<NewReactor> {
  const problems: Problems = {};
  const formulaId = readShape(formulaShape, body, problems)?.formula.id;
  const formula = formulaId === undefined ? undefined : await findFormula(db, tenantId, formulaId);
  if (formulaId !== undefined && formula === undefined) addProblems(problems, unknownFormula);
  const input = await readInput(db, tenantId, body, formula, problems);
  if (formula === undefined || hasProblems(problems)) throw validationError(problems);
  return { formula, input };
}

/**
 * Reads the body of an update, which leaves the formula as it is.
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readReactorChange(
  db: Queryable,
  tenantId: string,
  body: unknown,
  formula: FormulaRow,
): Promise<ReactorInput> {
  const problems: Problems = {};
  // Existing clients send back the whole reactor.
  const formulaId = formulaShape.safeParse(body).data?.formula.id ?? formula.id;
  if (formulaId !== formula.id) addProblems(problems, { 'formula.id': ['cannot be changed'] });
  const input = await readInput(db, tenantId, body, formula, problems);
  if (hasProblems(problems)) throw validationError(problems);
  return input;
}

/**
 * Has a configuration fit the formula as it stands now, which may have changed since the body was read.
 * @throws AppError `invalid_argument`
 */
export function requireFit(formula: FormulaRow | undefined, input: ReactorInput): asserts formula {
  const problems: Problems = {};
  if (formula === undefined) addProblems(problems, unknownFormula);
  else readSettings(input.configuration, formula.configuration, problems);
  if (hasProblems(problems)) throw validationError(problems);
}

const unknownFormula: Problems = { 'formula.id': ['must be a reactor formula of this tenant'] };

/** Counts only if there were no problems. */
async function readInput(
  db: Queryable,
  tenantId: string,
  body: unknown,
  formula: FormulaRow | undefined,
  problems: Problems,
): Promise<ReactorInput> {
  const name = readShape(nameShape, body, problems)?.name ?? '';
  const sent = readShape(configurationShape, body, problems)?.configuration;
  const configuration = sent === undefined ? {} : readSettings(sent, formula?.configuration ?? [], problems);
  const application = await readApplicationReference(db, tenantId, body, problems);
  return { name, configuration, application };
}
