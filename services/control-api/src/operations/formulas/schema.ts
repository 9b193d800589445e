import { validationError } from '@glovebox/platform/errors/app-error';
import { declaredTypes } from '@glovebox/published/declared-type';
import * as z from 'zod';

import type { FormulaInput, ParameterDeclaration, SettingDeclaration } from '../../formulas/fields.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  list,
  readShape,
  required,
  resourceName,
  sourceCode,
} from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';

const text = (maxLength: number) =>
  z.string('must be a string').max(maxLength, `must be at most ${maxLength} characters long`);

const declaredName = ({ nameLength }: InputLimits) =>
  z
    .string(required('must be a string'))
    .min(1, 'must not be empty')
    .max(nameLength, { error: `must be at most ${nameLength} characters long`, abort: true })
    // A property of this name would not be a property.
    .refine((name) => !name.split('.').includes('__proto__'), 'must not be __proto__');

const settingOf = (limits: InputLimits) =>
  z.object(
    {
      name: declaredName(limits).regex(/^[\w-]*$/, 'may have only letters, digits, - and _'),
      description: text(limits.access.descriptionLength).nullish(),
      type: z.enum(declaredTypes, required(`must be one of ${declaredTypes.join(', ')}`)),
    },
    'must be an object',
  );
const parameterOf = (limits: InputLimits) =>
  settingOf(limits).extend({
    name: declaredName(limits).regex(
      /^(?!.*\.\.)(?:\w(?:[\w.-]*\w)?)?$/,
      'may have only letters, digits, -, _ and single dots, with a letter, digit or _ at both ends',
    ),
    optional: z.boolean('must be a boolean').nullish(),
  });

const shapeOf = perLimits((limits) =>
  z.object({
    type: z.literal('private', required('must be private: official formulas cannot be created')),
    status: z.enum(['verified', 'coming_soon'], 'must be verified or coming_soon').nullish(),
    name: resourceName(limits),
    description: text(limits.formulaDescriptionLength).nullish(),
    icon: text(limits.iconLength)
      // Empty means absent.
      .regex(
        /^(?:data:image\/(?:png|jpe?g);base64, ?[A-Za-z0-9+/]+={0,2})?$/,
        'must be a data URL of a PNG or JPEG image in base64',
      )
      .nullish(),
    code: sourceCode(limits),
    configuration: list(limits.declarations, settingOf(limits)).nullish(),
    request_parameters: list(limits.declarations, parameterOf(limits)).nullish(),
  }),
);

/** Paths of the code in a body. */
export const formulaCode = [['code']];

/**
 * Reads the body of a create or update (contract/reactors.md#formulas).
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
    icon: fields.icon || null,
    code: fields.code,
    configuration: (fields.configuration ?? []).map(readSetting),
    request_parameters: (fields.request_parameters ?? []).map(readParameter),
  };
}

function readSetting({ name, description, type }: z.infer<ReturnType<typeof settingOf>>): SettingDeclaration {
  return { name, type, ...(description == null ? {} : { description }) };
}

function readParameter(sent: z.infer<ReturnType<typeof parameterOf>>): ParameterDeclaration {
  return { ...readSetting(sent), optional: sent.optional ?? false };
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
