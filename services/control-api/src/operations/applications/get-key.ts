import { findKey } from '../../applications/key-store.ts';
import { showKeys } from '../../applications/last-uses.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getKey(
  { postgres, lastUses }: Dependencies,
  { principal: { tenantId }, id, keyId }: Call,
): Promise<Reply> {
  const found = await findKey(postgres, tenantId, id, keyId);
  const [shown] = await showKeys(lastUses, tenantId, [found]);
  return { status: 200, body: shown ?? {} };
}
