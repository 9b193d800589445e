import type { Handler } from '../http/operation.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { findKey } from './key-store.ts';
import { showKey } from './key.ts';

export function getKey({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal, id, keyId }) => ({
    status: 200,
    body: showKey(await findKey(postgres, principal.tenantId, id, keyId)),
  });
}
