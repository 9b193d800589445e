import { findKey } from '../../applications/key-store.ts';
import { showKey } from '../../applications/key.ts';
import type { Handler } from '../../http/call.ts';
import type { ApplicationDependencies } from './dependencies.ts';

export function getKey({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal, id, keyId }) => ({
    status: 200,
    body: showKey(await findKey(postgres, principal.tenantId, id, keyId)),
  });
}
