import type { Queryable } from '@glovebox/platform/db/postgres';
import { tenantRecord } from '@glovebox/published/keys';

import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { type NamedRecord, type RecordPages, namedRecord, publishInPages } from '../publication/record.ts';
import type { TenantRow } from './fields.ts';

type PublishedColumns = Pick<TenantRow, 'id' | 'settings' | 'version'>;

/** The published record of a tenant. */
export function publishedTenant(row: PublishedColumns): NamedRecord {
  return namedRecord(tenantRecord(row.id), Number(row.version), {
    $case: 'tenant',
    value: { id: row.id, settings: { ...row.settings } },
  });
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

/** A deletion emits no event: the webhooks are deleted with the tenant. */
export function tenantEvent(row: TenantRow): WebhookEvent {
  const { id, name, settings } = row;
  return { type: 'tenant.updated', data: { id, name, settings, ...auditFields(row) } };
}
