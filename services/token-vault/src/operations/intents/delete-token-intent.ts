import type { DeleteTokenIntent } from '@glovebox/protos/vault/v1/vault';

import { tokenNotFound } from '../../authorization/refusals.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { intentRowId } from '../../values/token-intent-id.ts';
import { deleteStored } from '../tokens/delete-token.ts';

export async function deleteTokenIntent(
  vault: VaultContext,
  identified: IdentifiedCall,
  { intentId }: DeleteTokenIntent,
): Promise<Outcome> {
  const rowId = intentRowId(intentId);
  if (rowId === undefined) throw tokenNotFound();
  return await deleteStored(vault, identified, rowId);
}
