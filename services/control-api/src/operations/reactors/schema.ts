import type { Queryable } from '@glovebox/platform/db/postgres';
import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { readApplicationReference } from '../../applications/reference.ts';
import { type CodeCall, codeProblems } from '../../code/code-problems.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import { sentColumns, sentShapes } from '../../fields/sent.ts';
import type { FormulaRow, SettingDeclaration } from '../../formulas/fields.ts';
import { findFormula } from '../../formulas/store.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  readShape,
  required,
  resourceName,
  sourceCode,
  textMap,
  uuid,
} from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import { type ReactorInput, reactorFields } from '../../reactors/fields.ts';
import { readSettings } from '../../reactors/settings.ts';
import type { Dependencies } from '../dependencies.ts';

const formulaShape = z.object({ formula: z.object({ id: uuid }, required('must be an object')) });
const shapesOf = perLimits((limits) => {
  const configuration = textMap(limits, limits.settings, z.unknown());
  return {
    name: z.object({ name: resourceName(limits) }),
    columns: z.object(sentShapes(reactorFields, limits)),
    configuration: z.object({ configuration }),
    optionalConfiguration: z.object({ configuration: configuration.nullish() }),
    code: z.object({ code: sourceCode(limits) }),
  };
});

/** Paths of the code in a body. */
export const reactorCode = [['code']];

export interface NewReactor {
  /** Undefined for a reactor with code of its own. */
  readonly formula: FormulaRow | undefined;
  readonly input: ReactorInput;
}

/**
 * Reads the body of a create (contract/reactors.md#reactor-object); where no configuration is declared, as with
 * `code` instead of a formula, it may be absent.
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readNewReactor(dependencies: Dependencies, call: CodeCall): Promise<NewReactor> {
  const {
    principal: { tenantId },
    body,
  } = call;
  const problems = await codeProblems(dependencies, call, reactorCode);
  const hasCode = isGiven(body, 'code');
  if (hasCode && isGiven(body, 'formula'))
    addProblems(problems, { formula: ['must not be given together with code'] });
  const formula = hasCode ? undefined : await readFormula(dependencies.postgres, tenantId, body, problems);
  const input = await readInput(dependencies, tenantId, body, hasCode ? ownCode : formula, problems);
  if (hasProblems(problems)) throw validationError(problems);
  return { formula, input };
}

/**
 * Reads the body of an update, which leaves the formula as it is.
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readReactorChange(
  dependencies: Dependencies,
  call: CodeCall,
  formula: FormulaRow,
): Promise<ReactorInput> {
  const {
    principal: { tenantId },
    body,
  } = call;
  const problems = await codeProblems(dependencies, call, reactorCode);
  addProblems(problems, fixedProblems(body, formula));
  const input = await readInput(dependencies, tenantId, body, formula, problems);
  if (hasProblems(problems)) throw validationError(problems);
  return input;
}

/** Problems of a body that would change the formula of a reactor. Existing clients send back the whole reactor. */
export function fixedProblems(body: unknown, formula: FormulaRow): Problems {
  if (formula.inline) {
    return isGiven(body, 'formula') ? { formula: ['must not be given: the reactor has its own code'] } : {};
  }
  const problems: Problems = {};
  const formulaId = formulaShape.safeParse(body).data?.formula.id ?? formula.id;
  if (formulaId !== formula.id) addProblems(problems, { 'formula.id': ['cannot be changed'] });
  if (isGiven(body, 'code'))
    addProblems(problems, { code: ['must not be given: the reactor has a formula'] });
  return problems;
}

/**
 * Checks a configuration against the locked formula, which may have changed since the body was read.
 * @throws AppError `invalid_argument`
 */
export function requireFit(
  formula: FormulaRow | undefined,
  input: ReactorInput,
  limits: InputLimits,
): asserts formula {
  const problems: Problems = {};
  if (formula === undefined) addProblems(problems, unknownFormula);
  else readSettings(limits, input.configuration, formula.configuration, problems);
  if (hasProblems(problems)) throw validationError(problems);
}

const unknownFormula: Problems = { 'formula.id': ['must be a reactor formula of this tenant'] };

/** Null is absence. */
function isGiven(body: unknown, name: string): boolean {
  return (body as Readonly<Record<string, unknown>>)[name] != null;
}

async function readFormula(
  db: Queryable,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<FormulaRow | undefined> {
  const id = readShape(formulaShape, body, problems)?.formula.id;
  const formula = id === undefined ? undefined : await findFormula(db, tenantId, id);
  if (id !== undefined && formula === undefined) addProblems(problems, unknownFormula);
  return formula;
}

interface InputRules {
  readonly inline: boolean;
  readonly configuration: readonly SettingDeclaration[];
}

const ownCode: InputRules = { inline: true, configuration: [] };

/** Counts only if there were no problems. */
async function readInput(
  { postgres, egressPolicy, inputLimits: limits }: Dependencies,
  tenantId: string,
  body: unknown,
  rules: InputRules | undefined,
  problems: Problems,
): Promise<ReactorInput> {
  const shapes = shapesOf(limits);
  const name = readShape(shapes.name, body, problems)?.name ?? '';
  const columns = sentColumns(reactorFields, readShape(shapes.columns, body, problems) ?? {});
  const declaresNone = rules?.configuration.length === 0;
  const shape = declaresNone ? shapes.optionalConfiguration : shapes.configuration;
  const sent = readShape(shape, body, problems)?.configuration;
  const configuration = sent == null ? {} : readSettings(limits, sent, rules?.configuration ?? [], problems);
  const application = await readApplicationReference(postgres, tenantId, body, problems);
  const code = rules?.inline ? readShape(shapes.code, body, problems)?.code : undefined;
  const allowedDestinations = readHostList(body, 'allowed_destinations', egressPolicy, problems) ?? null;
  return { name, columns, configuration, application, allowedDestinations, code };
}
