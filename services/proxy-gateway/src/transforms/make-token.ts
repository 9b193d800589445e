import { AppError } from '@glovebox/platform/errors';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { vaultCaller } from '../vault/vault-caller.ts';
import { evaluateOptions } from './evaluate-options.ts';
import type { Transformation } from './transformation.ts';

/** Makes the token of a transform as the request's caller, who needs token:create. @throws AppError */
export async function makeToken(
  transformation: Transformation,
  { identifier, value }: TransformStep,
  res: (() => unknown) | undefined,
): Promise<void> {
  const { invocation, vault, made } = transformation;
  const { exchange, caller } = invocation;
  if (caller === undefined) {
    throw new AppError(
      'unauthenticated',
      'An anonymous request cannot make tokens: SVC-API-KEY is required.',
    );
  }
  const body = await evaluateOptions(transformation, value, res);
  const { json } = await vault.createToken(vaultCaller(exchange, caller.apiKey), Buffer.from(body));
  made[identifier] = JSON.parse(json.toString());
}
