import { randomUUID } from 'node:crypto';

import { generateProxyKey, hashKey } from '@glovebox/access/api-key';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type ProxyRow } from '../../proxies/fields.ts';
import { showCreatedProxy } from '../../proxies/fields.ts';
import { proxyEvent } from '../../proxies/published.ts';
import { publishedProxy } from '../../proxies/published.ts';
import { sealProxy } from '../../proxies/secrets.ts';
import { insertProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import { asMissingTenant } from '../../tenants/missing-tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { sealClientKey, tlsAfter } from './destination-tls.ts';
import { readProxyInput, requireUsableTls, settableColumns } from './schema.ts';

export async function createProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { changes, sealer } = dependencies;
  const { principal, correlationId } = call;
  const { tenantId, applicationId: actor } = principal;
  const input = await readProxyInput(dependencies, call);
  requireUsableTls(null, input);
  const id = randomUUID();
  const key = generateProxyKey();
  const owner = { tenantId, recordId: id };
  const sealed = await sealProxy(sealer, owner, { key, configuration: input.configuration }, correlationId);
  const clientKey = await sealClientKey(sealer, owner, input.tls, correlationId);
  const now = new Date();
  const row: ProxyRow = {
    id,
    tenant_id: tenantId,
    ...settableColumns(input, sealed.configuration, tlsAfter(null, input.tls, clientKey)),
    key_hash: hashKey(key),
    sealed_key: sealed.key,
    version: '1',
    created_by: actor,
    created_at: now,
    modified_by: actor,
    modified_at: now,
  };
  await changes
    .apply(auditEvent(call, 'create', 'proxy', id), async (tx) => {
      await insertProxy(tx, row);
      await proxyVersions.keep(tx, id, { comment: call.comment });
      return { result: undefined, records: publishedProxy(row), events: [proxyEvent('created', row)] };
    })
    .catch(asMissingTenant);
  const shown = showCreatedProxy(row, { key, configuration: input.configuration });
  return { status: 201, body: shown, location: `/proxies/${id}`, version: row.version };
}
