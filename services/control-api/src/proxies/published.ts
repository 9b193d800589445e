import type { Queryable } from '@glovebox/platform/postgres';
import { proxyRecord } from '@glovebox/published/keys';

import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../outbox/record.ts';
import { publishInPages } from '../outbox/source.ts';
import { publishedSettings } from '../secrets/configuration.ts';
import type { ProxyRow } from './proxy.ts';

type PublishedColumns = Pick<
  ProxyRow,
  | 'id'
  | 'tenant_id'
  | 'name'
  | 'key_hash'
  | 'destination_url'
  | 'request_transform_code'
  | 'response_transform_code'
  | 'sealed_configuration'
  | 'application_id'
  | 'require_auth'
  | 'version'
>;

/** What the data plane is told of a proxy. */
export function publishedProxy(row: PublishedColumns): NamedRecord {
  return namedRecord(proxyRecord(row.key_hash), Number(row.version), {
    $case: 'proxy',
    value: {
      id: row.id,
      tenantId: row.tenant_id,
      name: row.name,
      destinationUrl: row.destination_url,
      requireAuth: row.require_auth,
      applicationId: row.application_id ?? '',
      requestTransformCode: row.request_transform_code ?? '',
      responseTransformCode: row.response_transform_code ?? '',
      sealedConfiguration: publishedSettings(row.sealed_configuration ?? {}),
    },
  });
}

export function proxyTombstone(row: Pick<ProxyRow, 'key_hash' | 'version'>): NamedRecord {
  return tombstone(proxyRecord(row.key_hash), Number(row.version) + 1);
}

/** All proxies, for a rebuild. */
export function allPublishedProxies(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<PublishedColumns>(
        'page-of-all-proxies',
        `SELECT id, tenant_id, name, key_hash, destination_url, request_transform_code, response_transform_code,
                sealed_configuration, application_id, require_auth, version
           FROM proxies WHERE id > $1 ORDER BY id LIMIT $2`,
        [after, limit],
      ),
    (row) => [publishedProxy(row)],
  );
}
