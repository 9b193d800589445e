import { validationError } from '@glovebox/platform/errors/app-error';
import type { ReportKeysRequest, ReportKeysResponse, StoredKey } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { mostSeals } from '../../crypto/keyring.ts';
import { indexRotations } from '../../store/index-rotations.ts';
import { keysOfTenant } from '../../store/key-inventory.ts';
import { rotationOf } from '../../store/key-rotations.ts';
import { isUuid } from '../../values/uuid.ts';

/** The age and use of a tenant's encryption keys (contract/tenants.md#encryption-keys). */
export async function readEncryptionKeys(
  { postgres }: Pick<VaultContext, 'postgres'>,
  { tenantId }: ReportKeysRequest,
): Promise<ReportKeysResponse> {
  if (!isUuid(tenantId)) throw validationError({ tenant_id: ['must be a UUID'] });
  const db = postgres.forTenant(tenantId);
  const keys = await keysOfTenant(db, tenantId);
  const of = (wanted: 'data' | 'index'): StoredKey[] =>
    keys
      .filter(({ kind }) => kind === wanted)
      .map(({ version, createdAt, seals }) => ({
        version,
        createdMicros: createdAt.getTime() * 1000,
        seals: seals === null ? undefined : Number(seals),
      }));
  const [index] = await indexRotations(db, tenantId);
  return {
    dataKeys: of('data'),
    indexKeys: of('index'),
    mostSeals,
    dataRotation: await rotationOf(db, tenantId),
    indexRotation: index && { version: index.version, phase: index.phase, remade: index.remade },
  };
}
