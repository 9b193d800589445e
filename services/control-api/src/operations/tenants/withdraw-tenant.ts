import type { Queryable } from '@glovebox/platform/db/postgres';
import { reactorRecord, tenantRecord } from '@glovebox/published/keys';

import { applicationTombstones } from '../../applications/published.ts';
import { proxyTombstones } from '../../proxies/published.ts';
import { proxyRolloutTombstones } from '../../proxies/rollouts.ts';
import { type NamedRecord, tombstone } from '../../publication/record.ts';
import { reactorRolloutTombstones } from '../../reactors/rollouts.ts';
import { insertErasure } from '../../tenants/erasures.ts';
import type { TenantRow } from '../../tenants/fields.ts';
import { lockTenant, removeTenant } from '../../tenants/store.ts';
import { webhookTombstones } from '../../webhooks/published.ts';

/**
 * Deletes a tenant with its configuration, and notes that the rest is to be erased.
 * @param requestedBy an application; null: an operator
 * @returns the tombstones of what was published
 * @throws AppError `not_found`
 */
export async function withdrawTenant(
  tx: Queryable,
  tenantId: string,
  requestedBy: string | null,
): Promise<NamedRecord[]> {
  const tenant = await lockTenant(tx, tenantId);
  const { records, ...ids } = await publishedOf(tx, tenant);
  await insertErasure(tx, { tenantId, requestedBy, ...ids, erased: await countRows(tx, tenantId) });
  await removeTenant(tx, tenantId);
  return records;
}

interface Published {
  readonly records: NamedRecord[];
  readonly applicationIds: readonly string[];
  /** Of proxies and reactors. */
  readonly ownerIds: readonly string[];
}

/** The tombstones of everything that is published of a tenant. Locks the rows until the transaction ends. */
async function publishedOf(tx: Queryable, tenant: TenantRow): Promise<Published> {
  await tx.query(
    'lock-applications-of-tenant',
    'SELECT 1 FROM applications WHERE tenant_id = $1 FOR UPDATE',
    [tenant.id],
  );
  // Read after the locks are held, so that keys created while waiting for them are found.
  const applications = await tx.query<{ id: string; version: string; key_hashes: string[] }>(
    'read-applications-of-tenant',
    `SELECT a.id, a.version,
            ARRAY(SELECT k.key_hash FROM application_keys k WHERE (k.tenant_id, k.application_id) = (a.tenant_id, a.id)) AS key_hashes
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
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  const records = [
    ...applications.flatMap((row) => applicationTombstones(row.id, row.key_hashes, nextOf(row))),
    ...proxies.flatMap(proxyTombstones),
    ...(await proxyRolloutTombstones(tx, idsOf(proxies))),
    ...reactors.map((reactor) => tombstone(reactorRecord(reactor.id), next(reactor.version))),
    ...(await reactorRolloutTombstones(tx, idsOf(reactors))),
    ...(await webhookTombstones(tx, tenant.id)),
    tombstone(tenantRecord(tenant.id), next(tenant.version)),
  ];
  return {
    records,
    applicationIds: idsOf(applications),
    ownerIds: [...idsOf(proxies), ...idsOf(reactors)],
  };
}

/** How many rows are deleted with the tenant. */
async function countRows(tx: Queryable, tenantId: string): Promise<Record<string, number>> {
  const rows = await tx.query<Record<string, number>>(
    'count-rows-of-tenant',
    `SELECT 1 AS tenants,
            (SELECT count(*)::integer FROM applications WHERE tenant_id = $1) AS applications,
            (SELECT count(*)::integer FROM proxies WHERE tenant_id = $1) AS proxies,
            (SELECT count(*)::integer FROM reactor_formulas WHERE tenant_id = $1) AS reactor_formulas,
            (SELECT count(*)::integer FROM reactors WHERE tenant_id = $1) AS reactors,
            (SELECT count(*)::integer FROM webhooks WHERE tenant_id = $1) AS webhooks,
            (SELECT count(*)::integer FROM tenant_invitations WHERE tenant_id = $1) AS invitations,
            (SELECT count(*)::integer FROM members WHERE tenant_id = $1) AS members`,
    [tenantId],
  );
  return rows[0] ?? {};
}
