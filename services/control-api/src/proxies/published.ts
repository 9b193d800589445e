import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Proxy as PublishedProxy, TransformStep } from '@glovebox/protos/published/v1/published';
import { proxyIdRecord, proxyRecord } from '@glovebox/published/keys';

import { publishedHosts } from '../destinations/published-hosts.ts';
import { type WebhookEvent, auditFields } from '../events/emit.ts';
import { publishedFieldsOf } from '../fields/column.ts';
import { columnsOf } from '../fields/table.ts';
import {
  type NamedRecord,
  type RecordPages,
  namedRecord,
  publishInPages,
  tombstone,
} from '../publication/record.ts';
import { publishedSettings } from '../secrets/sealer.ts';
import { publishedDestination } from './destination-tls.ts';
import { type ProxyRow, proxyFields } from './fields.ts';
import { type Transforms, isList } from './transforms.ts';

const proxyPart = publishedFieldsOf(proxyFields);

/** The published records of a proxy: all of it under its key, and its tenant under its id. */
export function publishedProxy(row: ProxyRow): NamedRecord[] {
  const version = Number(row.version);
  return [
    namedRecord(proxyRecord(row.key_hash), version, {
      $case: 'proxy',
      value: publishedValue(row),
    }),
    namedRecord(proxyIdRecord(row.id), version, {
      $case: 'proxyReference',
      value: { id: row.id, tenantId: row.tenant_id },
    }),
  ];
}

/** A version of a proxy. */
export function publishedValue(row: ProxyRow): PublishedProxy {
  return {
    ...proxyPart(row),
    ...publishedDestination(row.destination_url, row.destination_tls),
    requestTransforms: publishedSteps(row.request_steps),
    responseTransforms: publishedSteps(row.response_steps),
    sealedConfiguration: publishedSettings(row.sealed_configuration ?? {}),
    allowedDestinations: publishedHosts(row.allowed_destinations),
  };
}

function publishedSteps(steps: Transforms['steps']): TransformStep[] {
  if (steps === null) return [];
  return (isList(steps) ? steps : [steps]).map(
    ({ type = 'code', expression = '', replacement = '', options = {} }) => {
      const value = options.token ?? options.value;
      return {
        type,
        expression,
        replacement,
        identifier: options.identifier ?? '',
        location: options.location ?? '',
        value: value === undefined ? '' : JSON.stringify(value),
      };
    },
  );
}

export function proxyTombstones(row: Pick<ProxyRow, 'id' | 'key_hash' | 'version'>): NamedRecord[] {
  const version = Number(row.version) + 1;
  return [tombstone(proxyRecord(row.key_hash), version), tombstone(proxyIdRecord(row.id), version)];
}

/** All proxies, for a rebuild. */
export function allPublishedProxies(snapshot: Queryable): RecordPages {
  return publishInPages(
    (after, limit) =>
      snapshot.query<ProxyRow>(
        'page-of-all-proxies',
        `SELECT ${columnsOf(proxyFields)} FROM proxies WHERE id > $1 ORDER BY id LIMIT $2`,
        [after, limit],
      ),
    publishedProxy,
  );
}

/** Without key, destination, code and configuration: each may hold a secret. */
export function proxyEvent(change: 'created' | 'updated' | 'deleted', row: ProxyRow): WebhookEvent {
  const { id, name, application_id, require_auth, created_by, created_at } = row;
  // The columns of a modification are never empty.
  const isModified = row.modified_at.getTime() !== created_at.getTime();
  const audited = isModified ? row : { created_by, created_at };
  return {
    type: `proxy.${change}`,
    data: { id, name, application_id: application_id ?? undefined, require_auth, ...auditFields(audited) },
  };
}
