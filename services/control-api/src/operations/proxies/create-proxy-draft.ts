import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import { changedSettings } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeDraft } from '../versions/store-draft.ts';
import { tlsAfter } from './destination-tls.ts';
import { readProxyInput, requireUsableTls, settableColumns } from './schema.ts';
import { sealInput } from './seal-input.ts';

/** Keeps what an update would make of a proxy, and leaves the proxy as it is. */
export async function createProxyDraft(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres } = dependencies;
  const { principal, id } = call;
  const { tenantId } = principal;
  const input = await readProxyInput(dependencies, call);
  const before = await findProxy(postgres, tenantId, id);
  requireUsableTls(before.destination_tls, input);
  const sealed = await sealInput(dependencies, call, before, input);
  return postgres.transaction(async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    requireMatch(call.ifMatch, current.version);
    requireUsableTls(current.destination_tls, input);
    const tls = tlsAfter(current.destination_tls, input.tls, sealed.clientKey);
    const definition = settableColumns(input, sealed.configuration, tls);
    const changed = changedSettings(current.sealed_configuration, sealed.configuration);
    const draft = { present: current.version, definition, changed };
    return storeDraft(tx, { versions: proxyVersions, root: '/proxies', read: 'proxy:read' }, call, {
      draft,
      event: auditEvent(call, 'create_draft', 'proxy', id),
    });
  });
}
