import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type ProxyRow } from '../../proxies/fields.ts';
import { showProxy } from '../../proxies/fields.ts';
import { proxyEvent } from '../../proxies/published.ts';
import { publishedProxy } from '../../proxies/published.ts';
import { type ProxySecrets, openProxies, sealProxy } from '../../proxies/secrets.ts';
import { findProxy, lockProxy, replaceProxy } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readProxyInput, settableColumns } from './schema.ts';

/** Replaces everything except the key: fields that the body omits get their defaults. */
export async function updateProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const input = await readProxyInput(dependencies, call);
  // All that the answer needs is at hand before anything changes.
  const before = await findProxy(postgres, tenantId, id);
  const [secrets] = await openProxies(sealer, [{ ...before, sealed_configuration: null }], correlationId);
  const { key } = secrets as ProxySecrets;
  const sealed = await sealProxy(
    sealer,
    { tenantId, recordId: id },
    { configuration: input.configuration },
    correlationId,
  );
  const row = await changes.apply(auditEvent(call, 'update', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    const next: ProxyRow = {
      ...current,
      ...settableColumns(input, sealed.configuration),
      version: String(BigInt(current.version) + 1n),
      modified_by: actor,
      modified_at: new Date(),
    };
    await replaceProxy(tx, next);
    return { result: next, records: publishedProxy(next), events: [proxyEvent('updated', next)] };
  });
  return { status: 200, body: showProxy(row, { key, configuration: input.configuration }) };
}
