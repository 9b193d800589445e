import { type ProxyRow, transformsOf } from './proxy.ts';
import type { ProxySecrets } from './secrets.ts';
import { shownTransforms } from './transforms.ts';

/** A proxy as list, get and update show it (contract/proxies.md#proxy-object). */
export function showProxy(row: ProxyRow, secrets: ProxySecrets): object {
  return {
    ...showCreatedProxy(row, secrets),
    modified_by: row.modified_by,
    modified_at: row.modified_at.toISOString(),
  };
}

/** A proxy as create shows it: without modification. */
export function showCreatedProxy(row: ProxyRow, secrets: ProxySecrets): object {
  const { request, response } = transformsOf(row);
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    key: secrets.key,
    destination_url: row.destination_url,
    ...shownTransforms('request', request),
    ...shownTransforms('response', response),
    configuration: secrets.configuration ?? undefined,
    application_id: row.application_id ?? undefined,
    require_auth: row.require_auth,
    disable_detokenization: row.disable_detokenization || undefined,
    timeout: row.timeout_seconds ?? undefined,
    // Code is checked before it is stored, and published before the answer: there is nothing to wait for.
    state: 'active',
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
}
