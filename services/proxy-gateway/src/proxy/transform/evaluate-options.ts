import { findExpressions } from '@glovebox/expressions/find-expressions';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { translateErrors } from '../../http/body/expression-errors.ts';
import { evaluate } from '../detokenize/evaluate.ts';
import { requestVariables } from '../detokenize/header-expressions.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { inside, toCaller } from '../resolve/reach.ts';
import { isEvaluable } from './is-evaluable.ts';
import type { ExpressionSource, RequestTransformDependencies } from './transformation.ts';

/**
 * The token or text that a transform is configured to make or to append, with the values of its expressions.
 * @returns JSON text
 * @throws AppError
 */
export async function evaluateOptions(
  invocation: ProxyInvocation,
  { type, value: json }: TransformStep,
  source: ExpressionSource,
  { vault, maxTransformedBytes }: RequestTransformDependencies,
): Promise<string> {
  const limits = { ...invocation.exchange.bounds.expressions, maxFilledBytes: maxTransformedBytes };
  const grammar = { kind: 'json', utf8: true } as const;
  const found = translateErrors(() => findExpressions(grammar, Buffer.from(json), limits, true));
  const { expressions } = found;
  if (expressions.length === 0) return json;
  const makes = type === 'tokenize';
  if (!expressions.every((text) => isEvaluable(text, makes ? source.side : 'append'))) {
    throw new AppError(
      'internal',
      `A transform of the ${source.side} holds an expression that is not allowed there.`,
    );
  }
  const names = (name: string) => expressions.some((text) => text.includes(name));
  const variables: Record<string, unknown> = { transform_identifier: invocation.madeTokens };
  if (source.side === 'request' && names('proxy'))
    Object.assign(variables, requestVariables(source.message, maxTransformedBytes));
  if (source.side === 'response' && names('res')) variables['res'] = source.res();
  const values = await evaluate(invocation, expressions, variables, vault, {
    opens: makes,
    fills: false,
    warns: false,
    reach: makes ? inside : toCaller,
  });
  return translateErrors(() => found.fill(values)).toString();
}
