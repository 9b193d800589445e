import { readKeys } from '../../applications/key-store.ts';
import { showKeys } from '../../applications/last-uses.ts';
import { findApplication } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** A bare array, as existing clients expect it (contract/choices.md#list-of-application-keys). */
export async function listKeys(
  { postgres, lastUses }: Dependencies,
  { principal, id, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const ids = reader.uuids('id');
  reader.done();
  await findApplication(postgres, principal.tenantId, id);
  const keys = await readKeys(postgres, id);
  const wanted = keys.filter((key) => ids.length === 0 || ids.includes(key.id));
  return { status: 200, body: await showKeys(lastUses, principal.tenantId, wanted) };
}
