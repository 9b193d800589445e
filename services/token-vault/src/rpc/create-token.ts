import type { CreateToken } from '@glovebox/protos/vault/v1/vault';

import { parseTokenRequest } from '../tokens/parse-token-request.ts';
import type { VaultContext } from '../vault-context.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';
import { readJsonBody } from './read-json-body.ts';
import { refuseWithout } from './refuse-without.ts';
import { storeTokens } from './store-tokens.ts';
import { storedOutcome } from './stored-token.ts';

export async function createToken(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body }: CreateToken,
): Promise<Outcome> {
  await refuseWithout(vault, identified, 'create');
  const request = parseTokenRequest(readJsonBody(body, vault.limits.bodyBytes), Date.now());
  const [token] = await storeTokens(vault, identified, [{ path: '', request }]);
  if (token === undefined) throw new Error('the token was not stored');
  return storedOutcome(token);
}
