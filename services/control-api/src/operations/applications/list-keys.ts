import { readKeys } from '../../applications/key-store.ts';
import { showKey } from '../../applications/key.ts';
import { findApplication } from '../../applications/store.ts';
import type { Handler } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { ApplicationDependencies } from './dependencies.ts';

/** A bare array, as existing clients expect it (contract/choices.md#list-of-application-keys). */
export function listKeys({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal, id, query }) => {
    const reader = new QueryReader(query);
    const ids = reader.uuids('id');
    reader.done();
    await findApplication(postgres, principal.tenantId, id);
    const keys = await readKeys(postgres, id);
    const wanted = keys.filter((key) => ids.length === 0 || ids.includes(key.id));
    return { status: 200, body: wanted.map((key) => showKey(key)) };
  };
}
