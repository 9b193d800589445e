import { AppError } from '@glovebox/platform/errors/app-error';
import type { CreateKey } from '@glovebox/protos/vault/v1/vault';

import { auditEntry, keyPurpose } from '../../audit/audit-entry.ts';
import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { seal } from '../../crypto/envelope.ts';
import { clientKeyTag } from '../../keys/client-keys/authentic-client-keys.ts';
import { newKeyPair, presentClientKey } from '../../keys/client-keys/client-key.ts';
import { privateKeyBinding } from '../../keys/client-keys/private-key.ts';
import { readKeyRequest } from '../../keys/client-keys/read-key-request.ts';
import type { WriteResult } from '../../presentation/write-result.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { insertClientKey, lockAndCountClientKeys } from '../../store/client-keys.ts';
import { readJsonBody } from '../../values/read-json-body.ts';

/** Creates a key pair; the vault keeps the private key. */
export async function createKey(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body }: CreateKey,
): Promise<WriteResult> {
  const sent = body.length === 0 ? {} : readJsonBody(body, vault.limits);
  const { encoding, expiresAt } = readKeyRequest(sent, Date.now());
  const { tenantId, applicationId } = identified.caller;
  const { id, publicKey, privateKey } = await newKeyPair();
  const sealingKey = await vault.keyring.currentSealingKey(tenantId);
  const key = {
    tenantId,
    id,
    encoding,
    publicKey,
    sealedPrivateKey: seal(sealingKey, privateKeyBinding({ tenantId, id }), privateKey, sealingKey.rowFormat),
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt.epochMs),
    expiresAtText: expiresAt?.text ?? null,
    createdBy: applicationId,
    createdAt: new Date(),
  };
  privateKey.fill(0);
  await vault.postgres.forTenant(tenantId).transaction(async (tx) => {
    const { clientKeys: most } = vault.limits;
    if ((await lockAndCountClientKeys(tx, tenantId)) >= most) {
      throw new AppError('unprocessable', `A tenant may have at most ${most} keys.`);
    }
    await insertClientKey(tx, { ...key, tag: clientKeyTag(sealingKey, key) });
    const audited = { ...identified, operation: 'create_key', purpose: keyPurpose, purposeId: id } as const;
    await recordDecisions(tx, [auditEntry(audited, {})]);
  });
  return { form: { kind: 'key', id, document: presentClientKey(key) }, tokens: [] };
}
