import type { Handler } from '../../http/call.ts';
import { type ProxySecrets, openProxies } from '../../proxies/secrets.ts';
import { findProxy } from '../../proxies/store.ts';
import { showProxy } from '../../proxies/view.ts';
import type { ProxyDependencies } from './dependencies.ts';

export function getProxy({ postgres, sealer }: ProxyDependencies): Handler {
  return async ({ principal, id, correlationId }) => {
    const row = await findProxy(postgres, principal.tenantId, id);
    const [secrets] = await openProxies(sealer, [row], correlationId);
    return { status: 200, body: showProxy(row, secrets as ProxySecrets) };
  };
}
