import { type Redis, firstAttempt } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
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
import { LatestMarker } from './latest-marker.ts';
import { type Convert, ProjectionReader, refusalLog, unavailable } from './projection-reader.ts';
import type { PublicKeys } from './public-keys.ts';
import { createPublishedMetrics } from './published-metrics.ts';
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
import { Snapshot } from './snapshot.ts';
import { subscribe } from './subscription.ts';
import { tenantOfTrial } from './trial-grant.ts';

export interface PublishedRecordsOptions {
  /** For reading. */
  readonly redis: Redis;
  /** For the announcements: a connection of its own (`createSubscriber`). */
  readonly subscriber: Redis;
  readonly names: RedisNames;
  /** Records that none of them has signed are refused. */
  readonly publicKeys: PublicKeys;
  readonly cache: RecordCacheOptions;
  /**
   * Rejects with `integrity_violation` for a session that the vault has not made. Only the vault can tell, and only the
   * vault decides by sessions; other services go without.
   */
  readonly checkSession?: (place: string, stored: Buffer) => Promise<void>;
  /** Where records outlive the process; they do not, if absent. */
  readonly snapshotFolder?: string | undefined;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * The published configuration as the data plane sees it: up to date within the time that an announcement takes, and
 * as last known while Redis is away (docs/architecture.md#invariants).
 * Every lookup rejects with AppError `unavailable` when nothing is known.
 */
export interface PublishedRecords extends AsyncDisposable {
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
  /** Whether a proxy or reactor named this application until lately, by what control-api has published. */
  namedUntilLately(owner: RecordName, applicationId: string): Promise<boolean>;
  /** The tenant for which code that is tried may act as this application now; undefined unless control-api allows it. */
  tenantOfTrial(applicationId: string, trial: string): Promise<string | undefined>;
  /** Undefined for a tenant that never had any. */
  webhooksOfTenant(tenantId: string): WebhooksRecord | undefined | Promise<WebhooksRecord | undefined>;
  /**
   * Await it before the first call is taken: until Redis is connected, every record is `unavailable`. It resolves soon
   * if Redis is away.
   */
  attempted(): Promise<void>;
  /** Why the records can't be relied on yet; undefined once the projection was seen whole. */
  unreadyReason(): Promise<string | undefined>;
  /** What an operator should know of a process that is ready. */
  readinessNote(): Promise<string | undefined>;
}

export function openPublishedRecords(options: PublishedRecordsOptions): PublishedRecords {
  const { names } = options;
  const { reader, cache, snapshot } = openReader(options);
  const attempted = Promise.all([firstAttempt(options.redis), snapshot?.opened()]).then(() => undefined);
  const cacheOf = cachesOver(reader, names, cache);
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
  const subscription = follow(options, reader, snapshot, {
    proxy: proxies,
    'proxy-id': proxyReferences,
    'proxy-rollout': proxyRollouts,
    application: applications,
    'application-id': applicationsById,
    tenant: tenants,
    reactor: reactors,
    'reactor-rollout': reactorRollouts,
    webhooks,
  });
  return {
    proxyByKeyHash: (hash, version = 0) => (version === 0 ? proxies.get(hash) : versions.find(hash, version)),
    proxyRolloutByKeyHash: (hash) => versions.rollout(hash),
    proxyReferenceById: (id) => proxyReferences.get(id),
    applicationByKeyHash: (hash) => andThen(applications.get(hash), unlessEnded),
    applicationById: (id) => andThen(applicationsById.get(id), unlessEnded),
    tenantById: (id) => tenants.get(id),
    reactorById: (id, version = 0) => (version === 0 ? reactors.get(id) : reactorVersions.find(id, version)),
    reactorRolloutById: (id) => reactorVersions.rollout(id),
    namedUntilLately: (...former) => reader.namesFormer(names.formerApplication(...former)),
    tenantOfTrial: (...trial) => tenantOfTrial(options.publicKeys, ...trial),
    webhooksOfTenant: (id) => webhooks.get(id),
    attempted: () => attempted,
    unreadyReason: () => reader.unreadyReason(),
    readinessNote: () => reader.note(),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]();
      await snapshot?.[Symbol.asyncDispose]();
      await close(options);
    },
  };
}

/** What makes a cache of one kind of records. */
function cachesOver(reader: ProjectionReader, names: RedisNames, options: RecordCacheOptions) {
  return <T extends object>(
    name: (id: string) => RecordName,
    convert: Convert<T>,
    maybeSession = false,
  ): RecordCache<T> => {
    const placesOf = (id: string) =>
      maybeSession ? [names.record(name(id)), names.session(name(id))] : [names.record(name(id))];
    return new RecordCache(
      (id, kept) => reader.read(placesOf(id), convert, kept),
      unavailable,
      options,
      (id) => reader.recall(names.record(name(id)), convert),
    );
  };
}

/** Has caches and snapshot follow what is announced. @param byKind caches by the beginning of a record's name */
function follow(
  { redis, subscriber, names }: PublishedRecordsOptions,
  reader: ProjectionReader,
  snapshot: Snapshot | undefined,
  byKind: Readonly<Record<string, Pick<RecordCache<object>, 'invalidate' | 'doubtAll'>>>,
): Disposable {
  const listener = {
    changed: (name: string) => {
      const colon = name.indexOf(':');
      byKind[name.slice(0, colon)]?.invalidate(name.slice(colon + 1));
      snapshot?.note(name);
    },
    resumed: () => {
      for (const cache of Object.values(byKind)) cache.doubtAll();
      snapshot?.noteAll();
      void reader.look();
    },
  };
  return subscribe(subscriber, names.changes, listener, names.isCluster ? { publisher: redis } : {});
}

function openReader(options: PublishedRecordsOptions) {
  const { names, publicKeys: keys, logger, cache, snapshotFolder: folder } = options;
  const marker = new LatestMarker({ keys, name: names.signedMarker, maxStaleMs: cache.maxStaleMs });
  const metrics = createPublishedMetrics(options.metrics, () => marker.value?.signedAt);
  const refused = refusalLog(metrics, logger);
  const failed = redisErrors({
    logger,
    metrics: options.metrics,
    name: 'published records',
    message: 'published record not read',
  });
  const snapshot = folder === undefined ? undefined : new Snapshot({ ...options, folder, marker, refused });
  const reader = new ProjectionReader({ ...options, marker, snapshot, refused, failed });
  return { reader, snapshot, cache: { ...cache, onSuperseded: refused } };
}

async function close({ redis, subscriber }: PublishedRecordsOptions): Promise<void> {
  await Promise.allSettled([redis.quit(), subscriber.quit()]);
  // A connection that is away does not quit, and would go on reconnecting.
  redis.disconnect();
  subscriber.disconnect();
}
