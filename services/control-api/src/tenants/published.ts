import type { Queryable } from '@glovebox/platform/db/postgres';
import type { EgressPolicy } from '@glovebox/protos/published/v1/published';
import { tenantRecord } from '@glovebox/published/keys';

import { publishedHosts } from '../destinations/published-hosts.ts';
import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { type NamedRecord, type RecordPages, namedRecord, publishInPages } from '../publication/record.ts';
import type { TenantEgressPolicy, TenantRow } from './fields.ts';

type PublishedColumns = Pick<TenantRow, 'id' | 'settings' | 'egress_policy' | 'version'>;

/** The published record of a tenant. */
export function publishedTenant(row: PublishedColumns): NamedRecord {
  return namedRecord(tenantRecord(row.id), Number(row.version), {
    $case: 'tenant',
    value: { id: row.id, settings: { ...row.settings }, egressPolicy: publishedPolicy(row.egress_policy) },
  });
}

export function publishedPolicy(policy: TenantEgressPolicy | null): EgressPolicy | undefined {
  if (policy === null) return undefined;
  const { mode, destinations, ephemeral } = policy;
  return { mode, destinations: publishedHosts(destinations), ephemeral };
}

/** All tenants, for a rebuild. */
export function allPublishedTenants(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<PublishedColumns>(
        'page-of-all-tenants',
        'SELECT id, settings, egress_policy, version FROM tenants WHERE id > $1 ORDER BY id LIMIT $2',
        [after, limit],
      ),
    (row) => [publishedTenant(row)],
  );
}

/** A deletion emits no event: the webhooks are deleted with the tenant. */
export function tenantEvent(row: TenantRow): WebhookEvent {
  const { id, name, settings } = row;
  return { type: 'tenant.updated', data: { id, name, settings, ...auditFields(row) } };
}
