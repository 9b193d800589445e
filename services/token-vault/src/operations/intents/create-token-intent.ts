import type { CreateTokenIntent } from '@glovebox/protos/vault/v1/vault';

import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { decryptRequest } from '../../keys/client-keys/decrypt-requests.ts';
import type { WriteResult } from '../../presentation/write-result.ts';
import { parseTokenRequest } from '../../tokens/parse-token-request.ts';
import { requireObject, readJsonBody } from '../../values/read-json-body.ts';
import { newIntentRowId } from '../../values/token-intent-id.ts';
import { storeTokens } from '../tokens/store-tokens.ts';

const lifeMs = 24 * 3_600_000;

/** Stores a value for one day, for expressions only. Needs token:create in the container of its type. */
export async function createTokenIntent(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body }: CreateTokenIntent,
): Promise<WriteResult> {
  await requireTokenPermission(vault, identified, 'create');
  const sent = requireObject(readJsonBody(body, vault.limits));
  const { type = null, data = null, encrypted = null } = sent;
  const wanted = await decryptRequest(vault, identified.caller.tenantId, { type, data, encrypted });
  const now = Date.now();
  const ends = new Date(now + lifeMs);
  const request = {
    ...parseTokenRequest(wanted, now, vault.limits.token),
    id: { kind: 'literal', id: newIntentRowId() },
    searchIndexes: [],
    expiresAt: { epochMs: ends.getTime(), text: ends.toISOString() },
    deduplicateToken: false,
  } as const;
  const tokens = await storeTokens(vault, identified, [{ path: '', request }]);
  return { form: { kind: 'intent' }, tokens };
}
