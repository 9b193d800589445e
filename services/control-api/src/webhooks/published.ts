import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Webhook } from '@glovebox/protos/published/v1/published';
import { webhooksRecord } from '@glovebox/published/keys';

import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../publication/record.ts';
import type { WebhookRow } from './fields.ts';
import { allWebhooks } from './store.ts';

/** The published record of a tenant's webhooks, as the transaction sees them. */
export async function publishedWebhooks(
  tx: Queryable,
  tenantId: string,
  version: number,
): Promise<NamedRecord[]> {
  const rows = await allWebhooks(tx, tenantId);
  const endpoints = rows.filter(({ status }) => status === 'enabled').map(publishedEndpoint);
  return [
    namedRecord(webhooksRecord(tenantId), version, { $case: 'webhooks', value: { tenantId, endpoints } }),
  ];
}

function publishedEndpoint(row: WebhookRow): Webhook {
  const { id, url, events, secret_number: number, sealed_previous_secret: previous } = row;
  const secrets = [{ number, sealed: row.sealed_secret, endsAt: 0 }];
  if (previous !== null && row.previous_secret_until !== null) {
    secrets.push({ number: number - 1, sealed: previous, endsAt: row.previous_secret_until.getTime() });
  }
  return { id, url, events: [...events], secrets };
}

/** Tombstones for a tenant that is being deleted. Locks the list until the transaction ends. */
export async function webhookTombstones(tx: Queryable, tenantId: string): Promise<NamedRecord[]> {
  const [list] = await tx.query<{ version: string }>(
    'lock-webhooks-of-tenant',
    'SELECT version FROM webhook_lists WHERE tenant_id = $1 FOR UPDATE',
    [tenantId],
  );
  return list === undefined ? [] : [tombstone(webhooksRecord(tenantId), Number(list.version) + 1)];
}

const listsPerPage = 200;

/** The lists of all tenants, for a rebuild. */
export async function* allPublishedWebhooks(snapshot: Queryable): RecordPages {
  for (let after: string | null = null; ;) {
    const lists: readonly { tenant_id: string; version: string }[] = await snapshot.query(
      'page-of-all-webhook-lists',
      `SELECT tenant_id, version FROM webhook_lists WHERE $1::uuid IS NULL OR tenant_id > $1
        ORDER BY tenant_id LIMIT $2`,
      [after, listsPerPage],
    );
    const last = lists.at(-1);
    if (last === undefined) return;
    const records: NamedRecord[] = [];
    for (const { tenant_id: tenantId, version } of lists) {
      records.push(...(await publishedWebhooks(snapshot, tenantId, Number(version))));
    }
    yield records;
    after = last.tenant_id;
  }
}
