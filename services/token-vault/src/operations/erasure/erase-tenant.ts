import { validationError } from '@glovebox/platform/errors/app-error';
import type { EraseTenantRequest, EraseTenantResponse } from '@glovebox/protos/vault/v1/vault';

import type { AuditSigner } from '../../audit/audit-signer.ts';
import { certificateOf } from '../../audit/erasure-certificate.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import {
  type Erasure,
  destroyKeys,
  findErasure,
  keepCertificate,
  lockTenantKeys,
} from '../../store/erasures.ts';
import { isUuid } from '../../values/uuid.ts';

/**
 * Destroys the keys of a tenant at once; its rows follow in the background. A repeated call reports the progress. Once
 * control-api has erased its part as well, the answer is the certificate, always the same one.
 */
export async function eraseTenant(
  vault: Pick<VaultContext, 'postgres' | 'keyring' | 'logger'>,
  signer: AuditSigner,
  request: EraseTenantRequest,
): Promise<EraseTenantResponse> {
  check(request);
  const { tenantId, elsewhere } = request;
  const erasure = await begun(vault, request);
  if (erasure.certificate !== null || erasure.rowsErasedAt === null || elsewhere === undefined)
    return shown(erasure);
  await keepCertificate(
    vault.postgres.forTenant(tenantId),
    tenantId,
    await signer.document(certificateOf(erasure, elsewhere.erased)),
  );
  return shown((await findErasure(vault.postgres.forTenant(tenantId), tenantId)) ?? erasure);
}

async function begun(
  { postgres, keyring, logger }: Pick<VaultContext, 'postgres' | 'keyring' | 'logger'>,
  { tenantId, requestedBy, requestedMicros, applicationIds }: EraseTenantRequest,
): Promise<Erasure> {
  const db = postgres.forTenant(tenantId);
  const known = await findErasure(db, tenantId);
  if (known !== undefined) return known;
  await db.transaction(async (tx) => {
    await lockTenantKeys(tx, tenantId);
    if ((await findErasure(tx, tenantId)) !== undefined) return;
    const requestedAt = new Date(requestedMicros / 1000);
    await destroyKeys(tx, { tenantId, requestedBy: requestedBy || null, requestedAt, applicationIds });
  });
  keyring.forget(tenantId);
  logger.info({ tenant_id: tenantId }, 'the keys of a tenant were destroyed');
  const erasure = await findErasure(db, tenantId);
  if (erasure === undefined) throw new Error('the database did not keep the erasure');
  return erasure;
}

function check({ tenantId, requestedBy, applicationIds }: EraseTenantRequest): void {
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['tenant_id'] = ['must be a UUID'];
  if (requestedBy !== '' && !isUuid(requestedBy)) problems['requested_by'] = ['must be a UUID, or empty'];
  if (!applicationIds.every(isUuid)) problems['application_ids'] = ['must be UUIDs'];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}

function shown({ keysDestroyedAt, rowsErasedAt, certificate }: Erasure): EraseTenantResponse {
  return {
    keysDestroyedMicros: keysDestroyedAt.getTime() * 1000,
    rowsErased: rowsErasedAt !== null,
    certificate: certificate === null ? '' : JSON.stringify(certificate),
  };
}
