import { readKeys } from '../../applications/key-store.ts';
import { showKey } from '../../applications/key.ts';
import { findApplication } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** A bare array, as existing clients expect it (contract/choices.md#list-of-application-keys). */
export async function listKeys({ postgres }: Dependencies, { principal, id, query }: Call): Promise<Reply> {
  const reader = new QueryReader(query);
  const ids = reader.uuids('id');
  reader.done();
  await findApplication(postgres, principal.tenantId, id);
  const keys = await readKeys(postgres, id);
  const wanted = keys.filter((key) => ids.length === 0 || ids.includes(key.id));
  return { status: 200, body: wanted.map((key) => showKey(key)) };
}
