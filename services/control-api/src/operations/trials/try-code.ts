import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { readApplicationReference } from '../../applications/reference.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Problems, hasProblems, readShape, required, sourceCode, textMap } from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import type { Dependencies } from '../dependencies.ts';

const sides = ['request', 'response'] as const;

const eventShape = z.object(
  { args: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())], 'must be an object').nullish() },
  required('must be an object'),
);

const settingOf = ({ settingLength }: InputLimits) =>
  z.union(
    [
      z.string().max(settingLength, `must be at most ${settingLength} characters long`),
      z.number(),
      z.boolean(),
      z.null(),
    ],
    'must be a string, a number or a boolean',
  );

const shapeOf = perLimits((limits) =>
  z.object({
    code: sourceCode(limits),
    configuration: textMap(limits, limits.settings, settingOf(limits)).nullish(),
    side: z.enum(sides, `must be one of ${sides.join(', ')}`).nullish(),
    event: eventShape,
    network: z.boolean('must be a boolean').nullish(),
  }),
);

/** Runs code of a transform once, and stores nothing. */
export function tryProxyCode(dependencies: Dependencies, call: Call): Promise<Reply> {
  return tryCode(dependencies, call, 'request');
}

/** The same for code of a formula, or of a reactor's own. */
export function tryFormulaCode(dependencies: Dependencies, call: Call): Promise<Reply> {
  return tryCode(dependencies, call, undefined);
}

/** @param defaultSide of a transform; undefined: it is none. @throws AppError */
async function tryCode(
  { postgres, trier, inputLimits }: Dependencies,
  { principal, person, body, correlationId }: Call,
  defaultSide: (typeof sides)[number] | undefined,
): Promise<Reply> {
  const { tenantId } = principal;
  const problems: Problems = {};
  const fields = readShape(shapeOf(inputLimits), body, problems);
  const application = await readApplicationReference(postgres, tenantId, body, problems);
  if (fields === undefined || hasProblems(problems)) throw validationError(problems);
  const { code, side, event, network } = fields;
  if (network === true && application !== undefined) requireReveal(person);
  const settings = Object.entries(fields.configuration ?? {}).filter(([, value]) => value !== null);
  const trial = {
    tenantId,
    code,
    side: defaultSide === undefined ? undefined : (side ?? defaultSide),
    args: event.args ?? {},
    configuration: Object.fromEntries(settings),
    applicationId: application?.id,
    network: network ?? false,
  };
  return {
    status: 200,
    stream: { type: 'application/json', chunks: once(await trier.try(trial, correlationId)) },
  };
}

/**
 * Checks that a person may see tokens in plain: as an application, code that calls out could read them, and give them back.
 * @throws AppError `permission_denied`
 */
function requireReveal(person: Call['person']): void {
  if (person === undefined || person.tokenView === 'reveal') return;
  const text =
    'Your role does not let you try code as an application with network: it could read tokens in plain.';
  throw new AppError('permission_denied', text);
}

/** As the runner wrote it: numbers keep their digits. */
async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
