import { validationError } from '@glovebox/platform/errors';
import { declaredTypes } from '@glovebox/published/declared-type';
import * as z from 'zod';

import {
  type Problems,
  addProblems,
  hasProblems,
  list,
  readShape,
  required,
  resourceName,
  sourceCode,
} from '../http/shape.ts';
import { type InputLimits, perLimits } from '../input-limits.ts';
import type { FormulaInput, ParameterDeclaration, SettingDeclaration } from './formula.ts';

const text = (maxLength: number) =>
  z.string('must be a string').max(maxLength, `must be at most ${maxLength} characters long`);

const declaredName = z
  .string(required('must be a string'))
  .min(1, 'must not be empty')
  .max(200, { error: 'must be at most 200 characters long', abort: true })
  // A property of this name would not be a property.
  .refine((name) => !name.split('.').includes('__proto__'), 'must not be __proto__');

const settingName = declaredName.regex(/^[\w-]*$/, 'may have only letters, digits, - and _');
const parameterName = declaredName.regex(
  /^(?!.*\.\.)(?:\w(?:[\w.-]*\w)?)?$/,
  'may have only letters, digits, -, _ and single dots, with a letter, digit or _ at both ends',
);

const setting = z.object(
  {
    name: settingName,
    description: text(400).nullish(),
    type: z.enum(declaredTypes, required(`must be one of ${declaredTypes.join(', ')}`)),
  },
  'must be an object',
);
const parameter = setting.extend({
  name: parameterName,
  optional: z.boolean('must be a boolean').nullish(),
});

const shapeOf = perLimits((limits) =>
  z.object({
    type: z.literal('private', required('must be private: official formulas cannot be created')),
    status: z.enum(['verified', 'coming_soon'], 'must be verified or coming_soon').nullish(),
    name: resourceName,
    description: text(1000).nullish(),
    icon: text(50_000)
      .regex(
        /^data:image\/(?:png|jpe?g);base64, ?[A-Za-z0-9+/]+={0,2}$/,
        'must be a data URL of a PNG or JPEG image in base64',
      )
      .nullish(),
    code: sourceCode(limits),
    configuration: list(limits.declarations, setting).nullish(),
    request_parameters: list(limits.declarations, parameter).nullish(),
  }),
);

/** Where the code stands in a body. */
export const formulaCode = [['code']];

/**
 * Reads the body of a create or update (api-facts 6.1).
 * @param problems of its code.
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export function readFormulaInput(limits: InputLimits, body: unknown, problems: Problems = {}): FormulaInput {
  const fields = readShape(shapeOf(limits), body, problems);
  const sent = body as { configuration?: unknown; request_parameters?: unknown };
  addProblems(problems, duplicates('configuration', sent.configuration, limits));
  addProblems(problems, duplicates('request_parameters', sent.request_parameters, limits));
  if (fields === undefined || hasProblems(problems)) throw validationError(problems);
  return {
    name: fields.name,
    description: fields.description ?? null,
    icon: fields.icon ?? null,
    code: fields.code,
    configuration: (fields.configuration ?? []).map(settingOf),
    request_parameters: (fields.request_parameters ?? []).map(parameterOf),
  };
}

function settingOf({ name, description, type }: z.infer<typeof setting>): SettingDeclaration {
  return { name, type, ...(description == null ? {} : { description }) };
}

function parameterOf(sent: z.infer<typeof parameter>): ParameterDeclaration {
  return { ...settingOf(sent), optional: sent.optional ?? false };
}

const named = z.object({ name: z.string() });

/** Found also where other things are wrong. */
function duplicates(path: string, declarations: unknown, limits: InputLimits): Problems {
  const problems: Problems = {};
  if (!Array.isArray(declarations)) return problems;
  const seen = new Set<string>();
  for (const [index, declaration] of declarations.slice(0, limits.declarations).entries()) {
    const name = named.safeParse(declaration).data?.name;
    if (name === undefined) continue;
    if (seen.has(name)) problems[`${path}[${index}].name`] = ['must not be declared twice'];
    seen.add(name);
  }
  return problems;
}
