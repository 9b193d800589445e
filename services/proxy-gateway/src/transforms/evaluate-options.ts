import { findExpressions } from '@glovebox/expressions/find-expressions';
import { defaultLimits } from '@glovebox/expressions/limits';
import { AppError } from '@glovebox/platform/errors';

import { evaluate } from '../detokenize/evaluate.ts';
import { requestVariables } from '../detokenize/header-expressions.ts';
import { translateErrors } from '../detokenize/translate-errors.ts';
import { isEvaluable } from './is-evaluable.ts';
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
  const side = res === undefined ? 'request' : 'response';
  if (!expressions.every((text) => isEvaluable(text, side))) {
    throw new AppError(
      'internal',
      `A transform of the ${side} holds an expression that may not stand there.`,
    );
  }
  const names = (name: string) => expressions.some((text) => text.includes(name));
  const variables = {
    transform_identifier: made,
    ...(side === 'request' && names('proxy') ? requestVariables(received, maxBytes) : {}),
    ...(res !== undefined && names('res') ? { res: res() } : {}),
  };
  const values = await evaluate(invocation, expressions, variables, vault);
  return translateErrors(() => found.fill(values)).toString();
}
