import type { Queryable } from '@glovebox/platform/db/postgres';
import { reactorRecord, tenantRecord } from '@glovebox/published/keys';

import { applicationTombstones } from '../applications/published.ts';
import { proxyTombstones } from '../proxies/published.ts';
import { publishInPages } from '../publication/record-pages.ts';
import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../publication/record.ts';
import { webhookTombstones } from '../webhooks/published.ts';
import type { TenantRow } from './tenant.ts';

type PublishedColumns = Pick<TenantRow, 'id' | 'settings' | 'version'>;

/** What the data plane is told of a tenant. */
export function publishedTenant(row: PublishedColumns): NamedRecord {
  return namedRecord(tenantRecord(row.id), Number(row.version), {
    $case: 'tenant',
    value: { id: row.id, settings: { ...row.settings } },
  });
}

/** Everything of a tenant that is published, as gone. Holds the rows until the transaction ends. */
export async function tombstonesOfTenant(tx: Queryable, tenant: PublishedColumns): Promise<NamedRecord[]> {
  await tx.query(
    'lock-applications-of-tenant',
    'SELECT 1 FROM applications WHERE tenant_id = $1 FOR UPDATE',
    [tenant.id],
  );
  // Read only once the locks are held: a key that was made while we waited for one has to be found.
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

/** All tenants, for a rebuild. */
export function allPublishedTenants(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<PublishedColumns>(
        'page-of-all-tenants',
        'SELECT id, settings, version FROM tenants WHERE id > $1 ORDER BY id LIMIT $2',
        [after, limit],
      ),
    (row) => [publishedTenant(row)],
  );
}
