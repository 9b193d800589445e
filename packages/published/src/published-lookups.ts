import { andThen } from '@glovebox/platform/values/maybe-promise';

import { endCheck } from './end-check.ts';
import {
  type RecordName,
  type RedisNames,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  proxyRolloutRecord,
  reactorRecord,
  reactorRolloutRecord,
  tenantRecord,
  webhooksRecord,
} from './keys.ts';
import { type Convert, type ProjectionReader, unavailable } from './projection-reader.ts';
import { RecordCache, type RecordCacheOptions } from './record-cache.ts';
import {
  type ApplicationRecord,
  type ProxyRecord,
  type ProxyReferenceRecord,
  type ProxyRolloutRecord,
  type ReactorRecord,
  type ReactorRolloutRecord,
  type TenantRecord,
  type WebhooksRecord,
  readApplication,
  readProxy,
  readProxyReference,
  readProxyRollout,
  readReactor,
  readReactorRollout,
  readTenant,
  readWebhooks,
} from './records.ts';
import { versionsOf } from './rolled-out-versions.ts';

/** Published records by what names them. A record that is at hand is given at once. */
export interface PublishedLookups {
  /**
   * @param version that was seen elsewhere: the second version of a rollout if it has this number, and otherwise the present
   * one. Records that know neither it nor a later one are read again.
   */
  proxyByKeyHash(hash: string, version?: number): ProxyRecord | undefined | Promise<ProxyRecord | undefined>;
  /** Undefined also while nothing is known of it: the present version serves everybody then. */
  proxyRolloutByKeyHash(
    hash: string,
  ): ProxyRolloutRecord | undefined | Promise<ProxyRolloutRecord | undefined>;
  proxyReferenceById(
    id: string,
  ): ProxyReferenceRecord | undefined | Promise<ProxyReferenceRecord | undefined>;
  /** Sessions and expiring applications until the moment at which they expire. */
  applicationByKeyHash(hash: string): ApplicationRecord | undefined | Promise<ApplicationRecord | undefined>;
  applicationById(id: string): ApplicationRecord | undefined | Promise<ApplicationRecord | undefined>;
  tenantById(id: string): TenantRecord | undefined | Promise<TenantRecord | undefined>;
  /** @param version as for proxies */
  reactorById(id: string, version?: number): ReactorRecord | undefined | Promise<ReactorRecord | undefined>;
  reactorRolloutById(
    id: string,
  ): ReactorRolloutRecord | undefined | Promise<ReactorRolloutRecord | undefined>;
  /** Undefined for a tenant that never had any. */
  webhooksOfTenant(tenantId: string): WebhooksRecord | undefined | Promise<WebhooksRecord | undefined>;
}

/** What records are read with. */
export type RecordSource = Pick<ProjectionReader, 'read' | 'recall'>;

/** Lookups in caches over a source, and those caches by the beginning of a record's name. */
export function lookupsOver(
  source: RecordSource,
  names: Pick<RedisNames, 'record' | 'session'>,
  options: RecordCacheOptions,
): {
  readonly lookups: PublishedLookups;
  readonly byKind: Readonly<Record<string, Pick<RecordCache<object>, 'invalidate' | 'doubtAll'>>>;
} {
  const cacheOf = cachesOver(source, names, options);
  const proxies = cacheOf(proxyRecord, readProxy);
  const proxyRollouts = cacheOf(proxyRolloutRecord, readProxyRollout);
  const versions = versionsOf(proxies, proxyRollouts, ({ proxy }) => proxy);
  const proxyReferences = cacheOf(proxyIdRecord, readProxyReference);
  const applications = cacheOf(applicationRecord, readApplication, true);
  const applicationsById = cacheOf(applicationIdRecord, readApplication, true);
  const unlessEnded = endCheck((id) => applicationsById.get(id));
  const tenants = cacheOf(tenantRecord, readTenant);
  const reactors = cacheOf(reactorRecord, readReactor);
  const reactorRollouts = cacheOf(reactorRolloutRecord, readReactorRollout);
  const reactorVersions = versionsOf(reactors, reactorRollouts, ({ reactor }) => reactor);
  const webhooks = cacheOf(webhooksRecord, readWebhooks);
  const lookups: PublishedLookups = {
    proxyByKeyHash: (hash, version = 0) => (version === 0 ? proxies.get(hash) : versions.find(hash, version)),
    proxyRolloutByKeyHash: (hash) => versions.rollout(hash),
    proxyReferenceById: (id) => proxyReferences.get(id),
    applicationByKeyHash: (hash) => andThen(applications.get(hash), unlessEnded),
    applicationById: (id) => andThen(applicationsById.get(id), unlessEnded),
    tenantById: (id) => tenants.get(id),
    reactorById: (id, version = 0) => (version === 0 ? reactors.get(id) : reactorVersions.find(id, version)),
    reactorRolloutById: (id) => reactorVersions.rollout(id),
    webhooksOfTenant: (id) => webhooks.get(id),
  };
  const byKind = {
    proxy: proxies,
    'proxy-id': proxyReferences,
    'proxy-rollout': proxyRollouts,
    application: applications,
    'application-id': applicationsById,
    tenant: tenants,
    reactor: reactors,
    'reactor-rollout': reactorRollouts,
    webhooks,
  };
  return { lookups, byKind };
}

/** What makes a cache of one kind of records. */
function cachesOver(
  source: RecordSource,
  names: Pick<RedisNames, 'record' | 'session'>,
  options: RecordCacheOptions,
) {
  return <T extends object>(
    name: (id: string) => RecordName,
    convert: Convert<T>,
    maybeSession = false,
  ): RecordCache<T> => {
    const placesOf = (id: string) =>
      maybeSession ? [names.record(name(id)), names.session(name(id))] : [names.record(name(id))];
    return new RecordCache(
      (id, kept) => source.read(placesOf(id), convert, kept),
      unavailable,
      options,
      (id) => source.recall(names.record(name(id)), convert),
    );
  };
}
