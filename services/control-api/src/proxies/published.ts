import type { Queryable } from '@glovebox/platform/db/postgres';
import type { TransformStep } from '@glovebox/protos/published/v1/published';
import { proxyIdRecord, proxyRecord } from '@glovebox/published/keys';

import { publishInPages } from '../publication/record-pages.ts';
import { type NamedRecord, type RecordPages, namedRecord, tombstone } from '../publication/record.ts';
import { publishedSettings } from '../secrets/configuration.ts';
import type { ProxyRow } from './proxy.ts';
import { type Transforms, isList } from './transforms.ts';

type PublishedColumns = Pick<
  ProxyRow,
  | 'id'
  | 'tenant_id'
  | 'name'
  | 'key_hash'
  | 'destination_url'
  | 'request_transform_code'
  | 'response_transform_code'
  | 'request_steps'
  | 'response_steps'
  | 'sealed_configuration'
  | 'application_id'
  | 'require_auth'
  | 'disable_detokenization'
  | 'timeout_seconds'
  | 'version'
>;

/** What the data plane is told of a proxy: all of it under its key, and under its id whose it is. */
export function publishedProxy(row: PublishedColumns): NamedRecord[] {
  const version = Number(row.version);
  return [
    namedRecord(proxyRecord(row.key_hash), version, {
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
        requestTransforms: publishedSteps(row.request_steps),
        responseTransforms: publishedSteps(row.response_steps),
        sealedConfiguration: publishedSettings(row.sealed_configuration ?? {}),
        disableDetokenization: row.disable_detokenization,
        timeoutSeconds: row.timeout_seconds ?? 0,
      },
    }),
    namedRecord(proxyIdRecord(row.id), version, {
      $case: 'proxyReference',
      value: { id: row.id, tenantId: row.tenant_id },
    }),
  ];
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
      snapshot.query<PublishedColumns>(
        'page-of-all-proxies',
        `SELECT id, tenant_id, name, key_hash, destination_url, request_transform_code, response_transform_code,
                request_steps, response_steps, sealed_configuration, application_id, require_auth, disable_detokenization, timeout_seconds, version
           FROM proxies WHERE id > $1 ORDER BY id LIMIT $2`,
        [after, limit],
      ),
    publishedProxy,
  );
}
