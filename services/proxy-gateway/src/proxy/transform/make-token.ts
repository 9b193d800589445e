import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { vaultCaller } from '../../vault/vault-caller.ts';
import { type ProxyInvocation, stepsOf } from '../resolve/proxy-invocation.ts';
import { evaluateOptions } from './evaluate-options.ts';
import type { ExpressionSource, RequestTransformDependencies } from './transformation.ts';

/**
 * Makes the token of a transform as the request's caller, who needs token:create. A request that is repeated under its
 * idempotency key after a failure gets the token that it made before, if it asks for the same.
 * @throws AppError
 */
export async function makeToken(
  invocation: ProxyInvocation,
  step: TransformStep,
  source: ExpressionSource,
  dependencies: RequestTransformDependencies,
): Promise<void> {
  const { exchange, proxy, caller, progress, madeTokens } = invocation;
  if (caller === undefined) {
    throw new AppError(
      'unauthenticated',
      'An anonymous request cannot make tokens: SVC-API-KEY is required.',
    );
  }
  const body = await evaluateOptions(invocation, step, source, dependencies);
  const { side } = source;
  const idempotencyKey = progress.keyOf(`${side} ${stepsOf(proxy, side).indexOf(step)}`);
  const writer = { ...vaultCaller(exchange, caller.apiKey), idempotencyKey, idempotencyByBody: true };
  const { json } = await dependencies.vault.createToken(writer, Buffer.from(body));
  madeTokens[step.identifier] = JSON.parse(json.toString());
}
