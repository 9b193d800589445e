import { type Redis, firstAttempt } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RecordName, RedisNames } from './keys.ts';
import { LatestMarker } from './latest-marker.ts';
import { ProjectionReader, refusalLog } from './projection-reader.ts';
import type { PublicKeys } from './public-keys.ts';
import { type PublishedLookups, lookupsOver } from './published-lookups.ts';
import { createPublishedMetrics } from './published-metrics.ts';
import type { RecordCache, RecordCacheOptions } from './record-cache.ts';
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
export interface PublishedRecords extends PublishedLookups, AsyncDisposable {
  /** The same lookups, without all else. */
  readonly lookups: PublishedLookups;
  /** Whether a proxy or reactor named this application until lately, by what control-api has published. */
  namedUntilLately(owner: RecordName, applicationId: string): Promise<boolean>;
  /** The tenant for which code that is tried may act as this application now; undefined unless control-api allows it. */
  tenantOfTrial(applicationId: string, trial: string): Promise<string | undefined>;
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
  const { lookups, byKind } = lookupsOver(reader, names, cache);
  const subscription = follow(options, reader, snapshot, byKind);
  return {
    ...lookups,
    lookups,
    namedUntilLately: (...former) => reader.namesFormer(names.formerApplication(...former)),
    tenantOfTrial: (...trial) => tenantOfTrial(options.publicKeys, ...trial),
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
