import { deedOf } from '../../audit/audit-event.ts';
import type { Handler } from '../../http/call.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { withdrawKey } from './withdraw-key.ts';

/** The key dies with the answer; the application stays, be it without any. */
export function deleteKey({ changes }: ApplicationDependencies): Handler {
  return async ({ principal, id: applicationId, keyId: id, correlationId }) => {
    const { tenantId } = principal;
    await changes.apply(
      deedOf({ principal, correlationId }, 'delete_key', 'application', applicationId),
      async (tx) => ({
        result: undefined,
        ...(await withdrawKey(tx, { tenantId, applicationId, id })),
      }),
    );
    return { status: 204 };
  };
}
