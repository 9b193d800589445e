import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { withdrawKey } from './withdraw-key.ts';

/** The key is invalid from the answer on; the application remains, even without keys. */
export async function deleteKey({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id: applicationId, keyId: id } = call;
  const { tenantId } = principal;
  await changes.apply(auditEvent(call, 'delete_key', 'application', applicationId), async (tx) => ({
    result: undefined,
    ...(await withdrawKey(tx, { tenantId, applicationId, id })),
  }));
  return { status: 204 };
}
