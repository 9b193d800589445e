import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { vaultCaller } from '../../vault/vault-caller.ts';
import { stepsOf } from '../resolve/transform-steps.ts';
import { evaluateOptions } from './evaluate-options.ts';
import type { Transformation } from './transformation.ts';

/**
 * Makes the token of a transform as the request's caller, who needs token:create. A request that is made again under its
 * idempotency key, after it has failed, gets the token that it has made before if it asks for the same.
 * @throws AppError
 */
export async function makeToken(
  transformation: Transformation,
  step: TransformStep,
  res: (() => unknown) | undefined,
): Promise<void> {
  const { invocation, effects, vault, made } = transformation;
  const { exchange, proxy, caller } = invocation;
  if (caller === undefined) {
    throw new AppError(
      'unauthenticated',
      'An anonymous request cannot make tokens: SVC-API-KEY is required.',
    );
  }
  const body = await evaluateOptions(transformation, step, res);
  const side = res === undefined ? 'request' : 'response';
  const idempotencyKey = effects.keyOf(`${side} ${stepsOf(proxy, side).indexOf(step)}`);
  const writer = { ...vaultCaller(exchange, caller.apiKey), idempotencyKey, idempotencyByBody: true };
  const { json } = await vault.createToken(writer, Buffer.from(body));
  made[step.identifier] = JSON.parse(json.toString());
}
