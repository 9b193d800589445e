import type { Handler } from '../http/operation.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { withdrawKey } from './withdraw-key.ts';

/** The key dies with the answer; the application stays, be it without any. */
export function deleteKey({ changes }: ApplicationDependencies): Handler {
  return async ({ principal: { tenantId }, id: applicationId, keyId: id }) => {
    await changes.apply(async (tx) => ({
      result: undefined,
      records: await withdrawKey(tx, { tenantId, applicationId, id }),
    }));
    return { status: 204 };
  };
}
