import { type WebhookEvent, auditFields } from '../events/emit.ts';
import type { TenantRow } from './tenant.ts';

/** Of a deletion nothing is told: the webhooks go with the tenant. */
export function tenantEvent(row: TenantRow): WebhookEvent {
  const { id, name, settings } = row;
  return { type: 'tenant.updated', data: { id, name, settings, ...auditFields(row) } };
}
