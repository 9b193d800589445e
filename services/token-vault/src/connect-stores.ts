import { type TenantDatabase, createPostgres, serverUrl } from '@glovebox/platform/db/postgres';
import { type RedisOptions, createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { redisNames } from '@glovebox/published/keys';
import { type PublishedRecords, openPublishedRecords } from '@glovebox/published/published-records';

import type { VaultConfig } from './config.ts';
import type { sessionCheck } from './context/session-check.ts';

/** Behind a pooler, past it. */
const connectionsBeside = 2;

export function connectPostgres(config: VaultConfig, logger: Logger): TenantDatabase & AsyncDisposable {
  return createPostgres({
    ...config.database,
    // Every statement has an index. Postgres could cache a plan with a scan, made while the table was small.
    settings: { enable_seqscan: 'off' },
    applicationName: 'token-vault',
    onError: (err) => logger.warn({ err }, 'a database connection was lost'),
  });
}

/**
 * All processes share the connections of a pooler: when transactions hold them all, a statement that one of these waits for
 * would never run. Without a pooler `writes` leaves some of this process' own.
 */
export function connectBeside(config: VaultConfig, logger: Logger): TenantDatabase & AsyncDisposable {
  return createPostgres({
    url: serverUrl(config.database),
    maxConnections: connectionsBeside,
    statementTimeoutMs: config.database.statementTimeoutMs,
    connectTimeoutMs: config.database.connectTimeoutMs,
    settings: { enable_seqscan: 'off' },
    applicationName: 'token-vault beside transactions',
    onError: (err) => logger.warn({ err }, 'a database connection was lost'),
  });
}

export function redisConnections(config: VaultConfig, metrics: MetricsRegistry, logger: Logger) {
  return (connectionName: string): RedisOptions => ({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 1000,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
}

export function connectPublished(
  config: VaultConfig,
  checkSession: ReturnType<typeof sessionCheck>,
  metrics: MetricsRegistry,
  logger: Logger,
): PublishedRecords {
  const connection = redisConnections(config, metrics, logger);
  return openPublishedRecords({
    redis: createRedis(connection('token-vault')),
    subscriber: createSubscriber(connection('token-vault-changes')),
    names: redisNames(config.redis),
    publicKeys: config.publicationKeys,
    metrics,
    snapshotFolder: config.publishedCache.snapshotFolder,
    cache: { ...config.publishedCache, retryAfterMs: 1000 },
    checkSession,
    logger,
  });
}
