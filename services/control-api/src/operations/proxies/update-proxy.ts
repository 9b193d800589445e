import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showProxy } from '../../proxies/fields.ts';
import { type ProxySecrets, openProxiesFor } from '../../proxies/secrets.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeProxy } from './change-proxy.ts';
import { tlsAfter } from './destination-tls.ts';
import { readProxyInput, requireUsableTls, settableColumns } from './schema.ts';
import { sealInput } from './seal-input.ts';

/** Replaces everything except the key: fields that the body omits get their defaults. */
export async function updateProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId } = principal;
  const input = await readProxyInput(dependencies, call);
  // All that the answer needs is at hand before anything changes.
  const before = await findProxy(postgres, tenantId, id);
  requireUsableTls(before.destination_tls, input);
  const [secrets] = await openProxiesFor(
    call.principal,
    sealer,
    [{ ...before, sealed_configuration: null }],
    correlationId,
  );
  const { key } = secrets as ProxySecrets;
  const sealed = await sealInput(dependencies, call, before, input);
  const row = await changes.apply(auditEvent(call, 'update', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    requireUsableTls(current.destination_tls, input);
    const tls = tlsAfter(current.destination_tls, input.tls, sealed.clientKey);
    return changeProxy(tx, call, current, settableColumns(input, sealed.configuration, tls));
  });
  const body = showProxy(row, { key, configuration: input.configuration });
  return { status: 200, body, version: row.version };
}
