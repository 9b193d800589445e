import type { DeleteTokenIntent } from '@glovebox/protos/vault/v1/vault';

import { intentRowId } from '../expressions/token-intent-id.ts';
import type { VaultContext } from '../vault-context.ts';
import { deleteStored } from './delete-token.ts';
import { noSuchToken } from './get-token.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';

export async function deleteTokenIntent(
  vault: VaultContext,
  identified: IdentifiedCall,
  { intentId }: DeleteTokenIntent,
): Promise<Outcome> {
  const rowId = intentRowId(intentId);
  if (rowId === undefined) throw noSuchToken();
  return await deleteStored(vault, identified, rowId);
}
