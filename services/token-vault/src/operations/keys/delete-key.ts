import type { DeleteKey } from '@glovebox/protos/vault/v1/vault';

import { auditEntry, keyPurpose } from '../../audit/audit-entry.ts';
import { requireKeyPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { recordDecisions } from '../../store/audit-log.ts';
import { deleteClientKey } from '../../store/client-keys.ts';
import { isUuid } from '../../values/uuid.ts';
import { keyNotFound } from './read-keys.ts';

/** What clients encrypted to the key is lost. */
export async function deleteKey(
  vault: VaultContext,
  identified: IdentifiedCall,
  { keyId }: DeleteKey,
): Promise<Outcome> {
  await requireKeyPermission(vault, identified, 'delete');
  const id = keyId.toLowerCase();
  if (!isUuid(id)) throw keyNotFound();
  await vault.postgres.forTenant(identified.caller.tenantId).transaction(async (tx) => {
    if (!(await deleteClientKey(tx, identified.caller.tenantId, id))) throw keyNotFound();
    const audited = { ...identified, operation: 'delete_key', purpose: keyPurpose, purposeId: id } as const;
    await recordDecisions(tx, [auditEntry(audited, {})]);
  });
  return { $case: 'deleted', value: {} };
}
