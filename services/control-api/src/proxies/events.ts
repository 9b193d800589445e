import { type WebhookEvent, auditFields } from '../events/emit.ts';
import type { ProxyRow } from './proxy.ts';

/** Neither key, destination, code nor configuration: each may hold a secret. */
export function proxyEvent(change: 'created' | 'updated' | 'deleted', row: ProxyRow): WebhookEvent {
  const { id, name, application_id, require_auth, created_by, created_at } = row;
  // The columns of a modification are never empty.
  const audited = row.version === '1' ? { created_by, created_at } : row;
  return {
    type: `proxy.${change}`,
    data: { id, name, application_id: application_id ?? undefined, require_auth, ...auditFields(audited) },
  };
}
