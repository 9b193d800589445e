import { type Telling, toldAudit } from '../events/emit.ts';
import type { TenantRow } from './tenant.ts';

/** Of a deletion nothing is told: the webhooks go with the tenant. */
export function tenantTelling(row: TenantRow): Telling {
  const { id, name, settings } = row;
  return { type: 'tenant.updated', data: { id, name, settings, ...toldAudit(row) } };
}
