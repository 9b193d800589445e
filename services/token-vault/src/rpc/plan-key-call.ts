import { AppError } from '@glovebox/platform/errors/app-error';
import type { CreateKey } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../vault-context.ts';
import { createKey } from './create-key.ts';
import { deleteKey } from './delete-key.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';
import { performOnce } from './perform-once.ts';
import type { Work } from './planned-work.ts';
import { getKey, listKeys } from './read-keys.ts';
import { requireKeys } from './require-keys.ts';

/** The operations on keys of clients. */
export function planKeyCall(vault: VaultContext, identified: IdentifiedCall): Work {
  const { operation } = identified.call.message;
  const write = (work: () => Promise<Outcome>) => vault.writes.run(work);
  const query = (work: () => Promise<Outcome>) => vault.queries.run(identified.caller.tenantId, work);
  switch (operation?.$case) {
    case 'createKey':
      return { admit: write, run: () => createKeyOnce(vault, identified, operation.value) };
    case 'listKeys':
      return { admit: query, run: () => listKeys(vault, identified, operation.value) };
    case 'getKey':
      return { admit: query, run: () => getKey(vault, identified, operation.value) };
    case 'deleteKey':
      return { admit: write, run: () => deleteKey(vault, identified, operation.value) };
    default:
      throw new AppError('invalid_argument', 'The call names no operation that this vault knows.');
  }
}

/** Who may not make keys any more is not given an answer again either: no token stands in it to be judged anew. */
async function createKeyOnce(
  vault: VaultContext,
  identified: IdentifiedCall,
  wish: CreateKey,
): Promise<Outcome> {
  await requireKeys(vault, identified, 'create');
  return performOnce(vault, identified, { about: [], body: wish.body }, (held) =>
    createKey(held, identified, wish),
  );
}
