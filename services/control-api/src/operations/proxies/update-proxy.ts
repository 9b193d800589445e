import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showProxy } from '../../proxies/fields.ts';
import { type ProxySecrets, openProxies } from '../../proxies/secrets.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeProxy } from './change-proxy.ts';
import { readProxyInput, settableColumns } from './schema.ts';

/** Replaces everything except the key: fields that the body omits get their defaults. */
export async function updateProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer } = dependencies;
  const { principal, id, correlationId } = call;
  const { tenantId } = principal;
  const input = await readProxyInput(dependencies, call);
  // All that the answer needs is at hand before anything changes.
  const before = await findProxy(postgres, tenantId, id);
  const [secrets] = await openProxies(sealer, [{ ...before, sealed_configuration: null }], correlationId);
  const { key } = secrets as ProxySecrets;
  const sealed =
    input.configuration === null
      ? null
      : await sealChanges(
          sealer,
          { tenantId, recordId: id },
          { current: before.sealed_configuration, next: input.configuration },
          correlationId,
        );
  const row = await changes.apply(auditEvent(call, 'update', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    return changeProxy(tx, call, current, settableColumns(input, sealed));
  });
  const body = showProxy(row, { key, configuration: input.configuration });
  return { status: 200, body, version: row.version };
}
