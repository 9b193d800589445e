import { deedOf } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { withdrawApplication } from './withdraw-application.ts';

/** Proxies that name it keep working, without an application. */
export function deleteApplication({ changes }: ApplicationDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    await changes.apply(deedOf({ principal, correlationId }, 'delete', 'application', id), async (tx) => ({
      result: undefined,
      ...(await withdrawApplication(tx, principal.tenantId, id)),
    }));
    return { status: 204 };
  };
}
