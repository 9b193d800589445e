import { type Redis, firstAttempt } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecord } from '@glovebox/protos/published/v1/published';

import { decodeRecord } from './codec.ts';
import { endCheck } from './end-check.ts';
import {
  type RecordName,
  type RedisNames,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  reactorRecord,
  tenantRecord,
  webhooksRecord,
} from './keys.ts';
import { decodeMarker } from './marker.ts';
import { RecordCache, type RecordCacheOptions, type Reading } from './record-cache.ts';
import {
  type ApplicationRecord,
  type ProxyRecord,
  type ProxyReferenceRecord,
  type ReactorRecord,
  type TenantRecord,
  type WebhooksRecord,
  readApplication,
  readProxy,
  readProxyReference,
  readReactor,
  readTenant,
  readWebhooks,
} from './records.ts';
import { subscribe } from './subscription.ts';

export interface PublishedRecordsOptions {
  /** For reading. */
  readonly redis: Redis;
  /** For the announcements: a connection of its own. */
  readonly subscriber: Redis;
  readonly names: RedisNames;
  readonly cache: RecordCacheOptions;
  readonly logger: Logger;
}

/**
 * The published configuration as the data plane sees it: up to date within the time that an announcement takes, and
 * as last known while Redis is away (docs/architecture.md#invariants).
 * Every lookup rejects with AppError `unavailable` when nothing is known.
 */
export interface PublishedRecords extends AsyncDisposable {
  /** @param atLeast a version that was seen elsewhere: an older or absent record is read again. */
  proxyByKeyHash(hash: string, atLeast?: number): ProxyRecord | undefined | Promise<ProxyRecord | undefined>;
  proxyReferenceById(
    id: string,
  ): ProxyReferenceRecord | undefined | Promise<ProxyReferenceRecord | undefined>;
  /** Sessions and expiring applications until the moment at which they expire. */
  applicationByKeyHash(hash: string): ApplicationRecord | undefined | Promise<ApplicationRecord | undefined>;
  applicationById(id: string): ApplicationRecord | undefined | Promise<ApplicationRecord | undefined>;
  tenantById(id: string): TenantRecord | undefined | Promise<TenantRecord | undefined>;
  reactorById(id: string, atLeast?: number): ReactorRecord | undefined | Promise<ReactorRecord | undefined>;
  /** Whether a proxy or reactor named this application until lately, by what control-api has published. */
  namedUntilLately(owner: RecordName, applicationId: string): Promise<boolean>;
  /** Undefined for a tenant that never had any. */
  webhooksOfTenant(tenantId: string): WebhooksRecord | undefined | Promise<WebhooksRecord | undefined>;
  /**
   * Await it before the first call is taken: until Redis is connected, every record is `unavailable`. It resolves soon
   * if Redis is away.
   */
  attempted(): Promise<void>;
  /** Why the records can't be relied on yet; undefined once the projection was seen whole. */
  unreadyReason(): Promise<string | undefined>;
}

export function openPublishedRecords(options: PublishedRecordsOptions): PublishedRecords {
  const reader = new ProjectionReader(options);
  const attempted = firstAttempt(options.redis);
  const { names } = options;
  const cacheOf = <T extends object>(
    name: (id: string) => RecordName,
    convert: Convert<T>,
    maybeSession = false,
  ): RecordCache<T> => {
    const keysOf = (id: string) =>
      maybeSession ? [names.record(name(id)), names.session(name(id))] : [names.record(name(id))];
    return new RecordCache((id) => reader.read(keysOf(id), convert), unavailable, options.cache);
  };
  const proxies = cacheOf(proxyRecord, readProxy);
  const proxyReferences = cacheOf(proxyIdRecord, readProxyReference);
  const applications = cacheOf(applicationRecord, readApplication, true);
  const applicationsById = cacheOf(applicationIdRecord, readApplication, true);
  const unlessEnded = endCheck((id) => applicationsById.get(id));
  const tenants = cacheOf(tenantRecord, readTenant);
  const reactors = cacheOf(reactorRecord, readReactor);
  const webhooks = cacheOf(webhooksRecord, readWebhooks);
  const byKind: Readonly<Record<string, Pick<RecordCache<object>, 'invalidate' | 'doubtAll'>>> = {
    proxy: proxies,
    'proxy-id': proxyReferences,
    application: applications,
    'application-id': applicationsById,
    tenant: tenants,
    reactor: reactors,
    webhooks,
  };
  const subscription = subscribe(options.subscriber, names.changes, {
    changed: (name) => {
      const colon = name.indexOf(':');
      byKind[name.slice(0, colon)]?.invalidate(name.slice(colon + 1));
    },
    resumed: () => {
      for (const cache of Object.values(byKind)) cache.doubtAll();
      void reader.look();
    },
  });
  return {
    proxyByKeyHash: (hash, atLeast = 0) => atLeastVersion(proxies, hash, atLeast),
    proxyReferenceById: (id) => proxyReferences.get(id),
    applicationByKeyHash: (hash) => andThen(applications.get(hash), unlessEnded),
    applicationById: (id) => andThen(applicationsById.get(id), unlessEnded),
    tenantById: (id) => tenants.get(id),
    reactorById: (id, atLeast = 0) => atLeastVersion(reactors, id, atLeast),
    namedUntilLately: (...former) => reader.exists(names.formerApplication(...former)),
    webhooksOfTenant: (id) => webhooks.get(id),
    attempted: () => attempted,
    unreadyReason: () => reader.unreadyReason(),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]();
      await close(options);
    },
  };
}

async function close({ redis, subscriber }: PublishedRecordsOptions): Promise<void> {
  await Promise.allSettled([redis.quit(), subscriber.quit()]);
  // A connection that is away does not quit, and would go on reconnecting.
  redis.disconnect();
  subscriber.disconnect();
}

/** A record older than the version is read again, once for all callers. */
function atLeastVersion<T extends { readonly version: number }>(
  cache: RecordCache<T>,
  key: string,
  version: number,
): T | undefined | Promise<T | undefined> {
  const judge = (record: T | undefined) => {
    if (version === 0 || (record?.version ?? 0) >= version) return record;
    const kept = cache.get(key);
    if (kept !== record) return kept;
    cache.invalidate(key);
    return cache.get(key);
  };
  const known = cache.get(key);
  return known instanceof Promise ? known.then(judge) : judge(known);
}

type Convert<T> = (record: PublishedRecord) => T | undefined;

class ProjectionReader {
  readonly #options: PublishedRecordsOptions;
  #seenWhole = false;

  constructor(options: PublishedRecordsOptions) {
    this.#options = options;
  }

  /** @param keys where it may be; the first that holds something counts */
  async read<T>(keys: readonly string[], convert: Convert<T>): Promise<Reading<T>> {
    const { redis, names, logger } = this.#options;
    try {
      const [marker, ...found] = await redis.mgetBuffer(names.marker, ...keys);
      const stored = found.find((value) => value !== null);
      const whole = decodeMarker(marker?.toString() ?? null) !== undefined;
      this.#seenWhole ||= whole;
      if (stored) {
        const value = convert(decodeRecord(stored));
        return value === undefined ? { outcome: 'absent' } : { outcome: 'found', value };
      }
      return whole
        ? { outcome: 'absent' }
        : { outcome: 'unavailable', cause: new Error('the projection is not whole') };
    } catch (cause) {
      logger.warn({ err: cause }, 'published record not read');
      return { outcome: 'unavailable', cause };
    }
  }

  /** @throws AppError `unavailable` */
  async exists(key: string): Promise<boolean> {
    try {
      return (await this.#options.redis.exists(key)) === 1;
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /** Reads the marker alone, so that a process without traffic knows whether it could serve. */
  async look(): Promise<void> {
    const { redis, names } = this.#options;
    const marker = await redis.get(names.marker).catch(() => null);
    this.#seenWhole ||= decodeMarker(marker) !== undefined;
  }

  async unreadyReason(): Promise<string | undefined> {
    if (!this.#seenWhole) await this.look();
    return this.#seenWhole ? undefined : 'the published configuration has not been seen yet';
  }
}

function unavailable(cause: unknown): Error {
  return new AppError('unavailable', 'The published configuration cannot be read right now.', { cause });
}
