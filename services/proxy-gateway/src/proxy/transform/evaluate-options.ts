import { findExpressions } from '@glovebox/expressions/find-expressions';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { translateErrors } from '../../http/body/expression-errors.ts';
import { evaluate } from '../detokenize/evaluate.ts';
import { requestVariables } from '../detokenize/header-expressions.ts';
import { isEvaluable } from './is-evaluable.ts';
import type { Transformation } from './transformation.ts';

/**
 * What a transform is configured to make or to append, with the values of its expressions.
 * @param res the response's body; undefined before there is one
 * @returns JSON text
 * @throws AppError
 */
export async function evaluateOptions(
  { invocation, received, vault, maxBytes, made }: Transformation,
  { type, value: json }: TransformStep,
  res: (() => unknown) | undefined,
): Promise<string> {
  const limits = { ...invocation.exchange.bounds.expressions, maxFilledBytes: maxBytes };
  const grammar = { kind: 'json', utf8: true } as const;
  const found = translateErrors(() => findExpressions(grammar, Buffer.from(json), limits, true));
  const { expressions } = found;
  if (expressions.length === 0) return json;
  const side = res === undefined ? 'request' : 'response';
  const makes = type === 'tokenize';
  if (!expressions.every((text) => isEvaluable(text, makes ? side : 'append'))) {
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
  const values = await evaluate(invocation, expressions, variables, vault, { opens: makes, warns: false });
  return translateErrors(() => found.fill(values)).toString();
}
