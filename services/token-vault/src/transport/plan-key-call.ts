import { AppError } from '@glovebox/platform/errors/app-error';
import type { CreateKey } from '@glovebox/protos/vault/v1/vault';

import { requireKeys } from '../authorization/require-keys.ts';
import type { IdentifiedCall, Outcome } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { performOnce } from '../operations/idempotency/perform-once.ts';
import { createKey } from '../operations/keys/create-key.ts';
import { deleteKey } from '../operations/keys/delete-key.ts';
import { getKey, listKeys } from '../operations/keys/read-keys.ts';
import type { Work } from './planned-work.ts';

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
