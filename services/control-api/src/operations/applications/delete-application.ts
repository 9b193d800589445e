import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { withdrawApplication } from './withdraw-application.ts';

/** Proxies that name it keep working, without an application. */
export async function deleteApplication({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  await changes.apply(auditEvent(call, 'delete', 'application', id), async (tx) => ({
    result: undefined,
    ...(await withdrawApplication(tx, principal.tenantId, id)),
  }));
  return { status: 204 };
}
