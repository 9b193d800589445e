import { findKey } from '../../applications/key-store.ts';
import { showKey } from '../../applications/key.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getKey({ postgres }: Dependencies, { principal, id, keyId }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showKey(await findKey(postgres, principal.tenantId, id, keyId)),
  };
}
