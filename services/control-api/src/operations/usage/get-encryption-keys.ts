import type { EncryptionKey } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** Ages, counts and rotations of the tenant's encryption keys, and nothing of the keys (contract/tenants.md#encryption-keys). */
export async function getEncryptionKeys(
  { usage }: Dependencies,
  { principal: { tenantId }, query, correlationId }: Call,
): Promise<Reply> {
  new QueryReader(query).done();
  const { dataKeys, indexKeys, mostSeals, dataRotation, indexRotation } = await usage.keysOf(
    tenantId,
    correlationId,
  );
  return {
    status: 200,
    body: {
      data_keys: dataKeys.map(show),
      index_keys: indexKeys.map(show),
      most_seals: mostSeals,
      data_key_rotation: dataRotation === undefined ? undefined : { version: dataRotation },
      index_key_rotation: indexRotation && {
        version: indexRotation.version,
        phase: indexRotation.phase,
        remade: indexRotation.remade,
      },
    },
  };
}

function show({ version, createdAt, seals }: EncryptionKey, position: number): object {
  return { version, current: position === 0, created_at: createdAt.toISOString(), seals };
}
