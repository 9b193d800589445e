import type { Call, Reply } from '../../http/call.ts';
import { showProxy } from '../../proxies/fields.ts';
import { type ProxySecrets, openProxiesFor } from '../../proxies/secrets.ts';
import { findProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getProxy(
  { postgres, sealer }: Dependencies,
  { principal, id, correlationId }: Call,
): Promise<Reply> {
  const row = await findProxy(postgres, principal.tenantId, id);
  const [secrets] = await openProxiesFor(principal, sealer, [row], correlationId);
  return { status: 200, body: showProxy(row, secrets as ProxySecrets), version: row.version };
}
