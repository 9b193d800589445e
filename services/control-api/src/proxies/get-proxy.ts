import type { Handler } from '../http/operation.ts';
import type { ProxyDependencies } from './dependencies.ts';
import { type ProxySecrets, openProxies } from './secrets.ts';
import { findProxy } from './store.ts';
import { showProxy } from './view.ts';

export function getProxy({ postgres, sealer }: ProxyDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    const row = await findProxy(postgres, principal.tenantId, id);
    const [secrets] = await openProxies(sealer, [row], correlationId);
    return { status: 200, body: showProxy(row, secrets as ProxySecrets) };
  };
}
