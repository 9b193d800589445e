import { findExpressions } from '@glovebox/expressions/find-expressions';
import { defaultLimits } from '@glovebox/expressions/limits';
import { AppError } from '@glovebox/platform/errors';

import { evaluate } from '../detokenize/evaluate.ts';
import { requestVariables } from '../detokenize/header-expressions.ts';
import { translateErrors } from '../detokenize/translate-errors.ts';
import { namesNoToken } from './names-no-token.ts';
import type { Transformation } from './transformation.ts';

/**
 * What a transform is configured to make or to append, with the values of its expressions.
 * @param json JSON text
 * @param res the response's body; undefined before there is one
 * @returns the same
 * @throws AppError
 */
export async function evaluateOptions(
  { invocation, received, vault, maxBytes, made }: Transformation,
  json: string,
  res: (() => unknown) | undefined,
): Promise<string> {
  const limits = { ...defaultLimits, maxFilledBytes: maxBytes };
  const grammar = { kind: 'json', utf8: true } as const;
  const found = translateErrors(() => findExpressions(grammar, Buffer.from(json), limits, true));
  const { expressions } = found;
  if (expressions.length === 0) return json;
  // A token would be given away to whoever gets the response.
  if (!expressions.every(namesNoToken)) {
    throw new AppError('internal', 'An expression of a transform may name no token.');
  }
  const names = (name: string) => expressions.some((text) => text.includes(name));
  const variables = {
    transform_identifier: made,
    ...(names('proxy') ? requestVariables(received, maxBytes) : {}),
    ...(res !== undefined && names('res') ? { res: res() } : {}),
  };
  const values = await evaluate(invocation, expressions, variables, vault);
  return translateErrors(() => found.fill(values)).toString();
}
