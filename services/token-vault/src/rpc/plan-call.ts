import { AppError } from '@glovebox/platform/errors';

import type { Semaphore } from '../semaphore.ts';
import type { VaultContext } from '../vault-context.ts';
import { associateTokens, dissociateTokens } from './associate-tokens.ts';
import { createToken } from './create-token.ts';
import { deleteToken } from './delete-token.ts';
import { planDetokenize } from './detokenize.ts';
import { planGetToken } from './get-token.ts';
import { listTokens } from './list-tokens.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';
import type { Read } from './read-tokens.ts';
import { searchTokens } from './search-tokens.ts';
import { tokenize } from './tokenize.ts';
import { updateToken } from './update-token.ts';

/** What is done by itself, and among how many others. */
export interface Work {
  readonly gate: Semaphore;
  readonly run: () => Promise<Outcome>;
}

/** Every operation of the data plane. A read of named tokens is described, to be served together with others. */
export function planCall(vault: VaultContext, identified: IdentifiedCall): Read | Work {
  const { operation } = identified.call.message;
  const { writes, queries } = vault;
  switch (operation?.$case) {
    case 'detokenize':
      return planDetokenize(vault, identified, operation.value);
    case 'getToken':
      return planGetToken(identified, operation.value);
    case 'createToken':
      return { gate: writes, run: () => createToken(vault, identified, operation.value) };
    case 'tokenize':
      return { gate: writes, run: () => tokenize(vault, identified, operation.value) };
    case 'updateToken':
      return { gate: writes, run: () => updateToken(vault, identified, operation.value) };
    case 'deleteToken':
      return { gate: writes, run: () => deleteToken(vault, identified, operation.value) };
    case 'associateTokens':
      return { gate: writes, run: () => associateTokens(vault, identified, operation.value) };
    case 'dissociateTokens':
      return { gate: writes, run: () => dissociateTokens(vault, identified, operation.value) };
    case 'listTokens':
      return { gate: queries, run: () => listTokens(vault, identified, operation.value) };
    case 'searchTokens':
      return { gate: queries, run: () => searchTokens(vault, identified, operation.value) };
    default:
      throw new AppError('invalid_argument', 'The call names no operation that this vault knows.');
  }
}
