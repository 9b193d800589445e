import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { type Invoker, vaultCaller } from './invoker.ts';
import type { ResolvedReactor } from './resolve-reactor.ts';

/**
 * Tokenizes a result's `tokenize` block, whose structure the tokens keep (contract/tokens.md#tokenize and contract/reactors.md#result): as the reactor's
 * application, or as the invoker where the reactor has none (contract/choices.md#owner-of-a-reactors-tokens).
 *
 * @param tokenize JSON text
 * @returns JSON text; undefined without a block
 * @throws AppError whose field problems name their place in the result
 */
export async function tokenizeResult(
  { vault }: { readonly vault: Pick<VaultClient, 'tokenize'> },
  tokenize: string | undefined,
  invoker: Invoker,
  { delegation }: Pick<ResolvedReactor, 'delegation'>,
): Promise<Buffer | undefined> {
  if (tokenize === undefined) return undefined;
  const caller = vaultCaller(invoker, delegation ?? invoker.credential);
  return vault.tokenize(caller, Buffer.from(tokenize)).catch((error: unknown) => {
    throw error instanceof AppError ? placed(error) : error;
  });
}

function placed(error: AppError): AppError {
  const problems = Object.entries(error.errors);
  if (problems.length === 0) return error;
  return validationError(Object.fromEntries(problems.map(([path, messages]) => [placeOf(path), messages])));
}

/** The vault names the whole block `$`. */
function placeOf(path: string): string {
  return path === '$' ? 'tokenize' : `tokenize${path.startsWith('[') ? '' : '.'}${path}`;
}
