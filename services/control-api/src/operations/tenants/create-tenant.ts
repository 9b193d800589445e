import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import { newKey } from '../../applications/key.ts';
import { type ApplicationInput, newApplication } from '../../applications/new-application.ts';
import { insertApplication } from '../../applications/store.ts';
import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { ChangeResult } from '../../publication/changes.ts';
import type { NamedRecord } from '../../publication/record.ts';
import type { TenantRow } from '../../tenants/fields.ts';
import { publishedTenant } from '../../tenants/published.ts';
import { insertTenant } from '../../tenants/store.ts';

export interface CreatedTenant {
  readonly tenantId: string;
  /** One for each application, in their order. */
  readonly apiKeys: readonly string[];
}

/** A tenant with its first applications; the first of them owns it. */
export async function createTenant(
  tx: Queryable,
  tenantId: string,
  name: string,
  applications: readonly ApplicationInput[],
): Promise<ChangeResult<CreatedTenant>> {
  const ownerId = randomUUID();
  const now = new Date();
  const tenant: TenantRow = {
    id: tenantId,
    owner_id: ownerId,
    name,
    settings: {},
    egress_policy: null,
    version: '1',
    created_by: ownerId,
    created_at: now,
    modified_by: null,
    modified_at: null,
  };
  await insertTenant(tx, tenant);
  await recordAuditEvent(tx, operatorEvent(tenantId, 'tenant', tenantId));
  const records: NamedRecord[] = [publishedTenant(tenant)];
  const apiKeys: string[] = [];
  for (const [index, input] of applications.entries()) {
    const id = index === 0 ? ownerId : randomUUID();
    const key = newKey(ownerId);
    const created = newApplication(input, { id, tenantId, createdBy: ownerId }, [key.row]);
    await insertApplication(tx, created.row, created.keys);
    await recordAuditEvent(tx, operatorEvent(tenantId, 'application', id));
    records.push(...created.records);
    apiKeys.push(key.text);
  }
  return { result: { tenantId, apiKeys }, records };
}

function operatorEvent(tenantId: string, entityType: AuditEvent['entityType'], entityId: string): AuditEvent {
  const unknown = { actorId: null, actorType: 'system' as const, correlationId: null, clientAddress: null };
  return { tenantId, ...unknown, operation: 'create', entityType, entityId };
}
