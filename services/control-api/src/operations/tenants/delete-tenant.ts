import type { Queryable } from '@glovebox/platform/db/postgres';
import { reactorRecord, tenantRecord } from '@glovebox/published/keys';

import { applicationTombstones } from '../../applications/published.ts';
import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { proxyTombstones } from '../../proxies/published.ts';
import { type NamedRecord, tombstone } from '../../publication/record.ts';
import type { TenantRow } from '../../tenants/fields.ts';
import { lockTenant, removeTenant } from '../../tenants/store.ts';
import { webhookTombstones } from '../../webhooks/published.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteTenant({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal } = call;
  await changes.apply(auditEvent(call, 'delete', 'tenant', principal.tenantId), async (tx) => {
    const tenant = await lockTenant(tx, principal.tenantId);
    const records = await tombstonesOfTenant(tx, tenant);
    await removeTenant(tx, tenant.id);
    return { result: undefined, records };
  });
  return { status: 204 };
}

/** The tombstones of everything that is published of a tenant. Locks the rows until the transaction ends. */
async function tombstonesOfTenant(tx: Queryable, tenant: TenantRow): Promise<NamedRecord[]> {
  await tx.query(
    'lock-applications-of-tenant',
    'SELECT 1 FROM applications WHERE tenant_id = $1 FOR UPDATE',
    [tenant.id],
  );
  // Read after the locks are held, so that keys created while waiting for them are found.
  const applications = await tx.query<{ id: string; version: string; key_hashes: string[] }>(
    'read-applications-of-tenant',
    `SELECT a.id, a.version,
            ARRAY(SELECT k.key_hash FROM application_keys k WHERE k.application_id = a.id) AS key_hashes
       FROM applications a WHERE a.tenant_id = $1`,
    [tenant.id],
  );
  const proxies = await tx.query<{ id: string; key_hash: string; version: string }>(
    'lock-proxies-of-tenant',
    'SELECT id, key_hash, version FROM proxies WHERE tenant_id = $1 FOR UPDATE',
    [tenant.id],
  );
  // In the order of every lock: a formula before its reactors.
  await tx.query(
    'lock-formulas-of-tenant',
    'SELECT 1 FROM reactor_formulas WHERE tenant_id = $1 ORDER BY id FOR UPDATE',
    [tenant.id],
  );
  const reactors = await tx.query<{ id: string; version: string }>(
    'lock-reactors-of-tenant',
    'SELECT id, version FROM reactors WHERE tenant_id = $1 ORDER BY id FOR UPDATE',
    [tenant.id],
  );
  const next = (version: string) => Number(version) + 1;
  const nextOf = ({ version }: { readonly version: string }) => String(next(version));
  return [
    ...applications.flatMap((row) => applicationTombstones(row.id, row.key_hashes, nextOf(row))),
    ...proxies.flatMap(proxyTombstones),
    ...reactors.map((reactor) => tombstone(reactorRecord(reactor.id), next(reactor.version))),
    ...(await webhookTombstones(tx, tenant.id)),
    tombstone(tenantRecord(tenant.id), next(tenant.version)),
  ];
}
