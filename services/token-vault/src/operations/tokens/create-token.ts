import type { Queryable } from '@glovebox/platform/db/postgres';
import type { CreateToken } from '@glovebox/protos/vault/v1/vault';

import { authorizeTokens } from '../../authorization/authorize-tokens.ts';
import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { decryptRequest } from '../../keys/client-keys/decrypt-requests.ts';
import type { WriteResult } from '../../presentation/write-result.ts';
import { insertAssociation } from '../../store/associations.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { parseTokenRequest } from '../../tokens/parse-token-request.ts';
import { readJsonBody } from '../../values/read-json-body.ts';
import { ownChild, recordAssociation } from './associate-tokens.ts';
import { storeTokens } from './store-tokens.ts';

export async function createToken(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body, parentId }: CreateToken,
): Promise<WriteResult> {
  await requireTokenPermission(vault, identified, 'create');
  if (parentId !== '') await requireParent(vault, identified, parentId);
  const sent = readJsonBody(body, vault.limits);
  const plain = await decryptRequest(vault, identified.caller.tenantId, sent);
  const request = parseTokenRequest(plain, Date.now(), vault.limits.token);
  const andThen = parentId === '' ? undefined : associate(identified, parentId);
  const tokens = await storeTokens(vault, identified, [{ path: '', request }], andThen);
  return { form: { kind: 'token' }, tokens };
}

/** The caller must be able to read the parent (contract/tokens.md#operations). */
export async function requireParent(
  vault: VaultContext,
  identified: IdentifiedCall,
  parentId: string,
): Promise<void> {
  await requireTokenPermission(vault, identified, 'read', [parentId]);
  const db = vault.postgres.forTenant(identified.caller.tenantId);
  const decision = await authorizeTokens(vault, db, identified, 'read', 'token:read', [parentId]);
  if (decision.refusal === undefined) return;
  await recordDecisions(db, decision.entries);
  throw decision.refusal;
}

/** A deduplicated token may already be a child. */
function associate(identified: IdentifiedCall, parentId: string) {
  return async (tx: Queryable, [childId = '']: readonly string[]): Promise<void> => {
    if (childId === parentId) throw ownChild();
    const association = { tenantId: identified.caller.tenantId, parentId, childId };
    if (await insertAssociation(tx, association, identified.caller.applicationId)) {
      await recordAssociation(tx, identified, 'associate', association);
    }
  };
}
