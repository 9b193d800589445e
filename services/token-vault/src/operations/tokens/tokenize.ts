import type { Tokenize } from '@glovebox/protos/vault/v1/vault';

import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { decryptRequests } from '../../keys/client-keys/decrypt-requests.ts';
import type { WriteResult } from '../../presentation/write-result.ts';
import { readTokenRequest } from '../../tokens/parse-token-request.ts';
import { type TokenizeLeaf, readTokenizeTree } from '../../tokens/tokenize-tree.ts';
import type { JsonObject } from '../../values/json-value.ts';
import { readJsonBody } from '../../values/read-json-body.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { type WantedToken, storeTokens } from './store-tokens.ts';

/** Replaces every sensitive leaf of a JSON document (contract/tokens.md#tokenize). All leaves become tokens, or none. */
export async function tokenize(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body }: Tokenize,
): Promise<WriteResult> {
  await requireTokenPermission(vault, identified, 'create');
  const { tokensPerTokenize: tokens, token } = vault.limits;
  const sent = readJsonBody(body, vault.limits);
  const { leaves, fill } = readTokenizeTree(sent, { tokens, nesting: token.dataNesting });
  const problems = new ValidationProblems();
  const { requests } = await decryptRequests(vault, identified.caller.tenantId, leaves, problems);
  const stored = await storeTokens(vault, identified, readRequests(vault, leaves, requests, problems));
  const places = stored.map(({ id }, position) => (leaves[position]?.becomes === 'id' ? id : position));
  return { form: { kind: 'tokenized', document: fill(places) }, tokens: stored };
}

function readRequests(
  { limits }: VaultContext,
  leaves: readonly TokenizeLeaf[],
  requests: readonly (JsonObject | undefined)[],
  problems: ValidationProblems,
): readonly WantedToken[] {
  const now = Date.now();
  const wanted: WantedToken[] = [];
  for (const [position, { path }] of leaves.entries()) {
    const request = requests[position];
    const read = request && readTokenRequest(request, now, limits.token, problems.at(path));
    if (read !== undefined) wanted.push({ path, request: read });
  }
  problems.throwIfAny();
  return wanted;
}
