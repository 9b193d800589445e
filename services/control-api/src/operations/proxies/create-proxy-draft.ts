import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { type ProxyRow, proxyFields } from '../../proxies/fields.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import { type Definition, changedSettings, readDefinition } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeDraft } from '../versions/store-draft.ts';
import { tlsAfter } from './destination-tls.ts';
import { readSealedPatch } from './read-sealed-patch.ts';
import { readProxyInput, requireUsableTls, settableColumns } from './schema.ts';
import { sealInput } from './seal-input.ts';

type Draft = (current: ProxyRow) => Definition<typeof proxyFields>;

/** Keeps what an update would make of a proxy, whole or as a patch, and leaves the proxy as it is. */
export async function createProxyDraft(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres } = dependencies;
  const { principal, id } = call;
  const { tenantId } = principal;
  const before = await findProxy(postgres, tenantId, id);
  const draftOf = await (call.isPatch ? readPatch : readWhole)(dependencies, call, before);
  return postgres.transaction(async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    requireMatch(call.ifMatch, current.version);
    const definition = draftOf(current);
    const changed = changedSettings(current.sealed_configuration, definition.sealed_configuration);
    const draft = { present: current.version, definition, changed };
    return storeDraft(tx, { versions: proxyVersions, root: '/proxies', read: 'proxy:read' }, call, {
      draft,
      event: auditEvent(call, 'create_draft', 'proxy', id),
    });
  });
}

async function readPatch(dependencies: Dependencies, call: Call, before: ProxyRow): Promise<Draft> {
  const applied = await readSealedPatch(dependencies, call, before);
  return (current) => readDefinition(proxyFields, applied(current));
}

async function readWhole(dependencies: Dependencies, call: Call, before: ProxyRow): Promise<Draft> {
  const input = await readProxyInput(dependencies, call);
  requireUsableTls(before.destination_tls, input);
  const sealed = await sealInput(dependencies, call, before, input);
  return (current) => {
    requireUsableTls(current.destination_tls, input);
    const tls = tlsAfter(current.destination_tls, input.tls, sealed.clientKey);
    return settableColumns(input, sealed.configuration, tls);
  };
}
