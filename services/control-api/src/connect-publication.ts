import { once } from 'node:events';

import { type TenantDatabase, createPostgres, serverUrl } from '@glovebox/platform/db/postgres';
import { type Redis, createRedis, firstAttempt } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { EventInbox } from '@glovebox/published/event-inbox';
import { KeyUses } from '@glovebox/published/key-uses';
import { redisNames } from '@glovebox/published/keys';

import { type LastUses, lastUses } from './applications/last-uses.ts';
import { allPublishedApplications } from './applications/published.ts';
import type { StoreConfig } from './config.ts';
import { type AsyncRequests, readAsyncRequests } from './invocations/async-requests.ts';
import { type Outlines, readOutlines } from './invocations/outlines.ts';
import { allPublishedProxies } from './proxies/published.ts';
import { allPublishedProxyRollouts } from './proxies/rollouts.ts';
import { Changes } from './publication/changes.ts';
import type { OnCheckpoint } from './publication/checkpoints.ts';
import { createPublisherMetrics } from './publication/metrics.ts';
import { Projection } from './publication/projection.ts';
import type { PublicationKeys } from './publication/publication-keys.ts';
import { Publisher } from './publication/publisher.ts';
import { allPublishedReactors } from './reactors/published.ts';
import { allPublishedReactorRollouts } from './reactors/rollouts.ts';
import { type RolloutFigures, rolloutFigures } from './rollouts/figures.ts';
import { allPublishedTenants } from './tenants/published.ts';
import { type WebhookDeliveries, webhookDeliveries } from './webhooks/deliveries.ts';
import { allPublishedWebhooks } from './webhooks/published.ts';

export interface PublicationOptions {
  readonly config: StoreConfig;
  readonly keys: PublicationKeys;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** The pool of the requests. */
  readonly postgres: TenantDatabase;
  readonly onCheckpoint?: OnCheckpoint | undefined;
}

export interface PublicationParts extends AsyncDisposable {
  readonly publisher: Publisher;
  readonly changes: Changes;
  readonly figures: RolloutFigures;
  readonly outlines: Outlines;
  readonly asyncRequests: AsyncRequests;
  readonly lastUses: LastUses;
  readonly deliveries: WebhookDeliveries;
  /** Of keys, at this service. */
  readonly keyUses: KeyUses;
  /** Resolves when the first attempt to connect to Redis has succeeded or failed. */
  readonly firstAttempt: Promise<void>;
  /** Resolves when Redis answers. @throws AppError `unavailable` after `timeoutMs` */
  connected(timeoutMs: number): Promise<void>;
}

/** Wires what brings changes to Redis: the same for the service and the command line. */
export function createPublication(options: PublicationOptions): PublicationParts {
  const { config, keys, logger, metrics, postgres, onCheckpoint = () => undefined } = options;
  const redis = createRedis({
    url: config.redisUrl,
    connectionName: 'control-api',
    commandTimeoutMs: 3000,
    onError: redisErrors({ logger, metrics, name: 'control-api' }),
  });
  const attempt = firstAttempt(redis);
  // Connections of its own, past any pooler: publication must not wait behind requests, nor requests behind it, and
  // the turn to publish is a lock that others wait for within a transaction.
  const own = createPostgres({
    url: serverUrl({ url: config.databaseUrl, directUrl: config.directUrl }),
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'control-api publisher',
    onError: (error) => logger.warn({ err: error }, 'postgres connection'),
  });
  const { redisWaitReplicas: waitReplicas } = config;
  const names = redisNames({ prefix: config.redisPrefix, isCluster: config.redisIsCluster });
  const onLost = (err: unknown) => logger.warn({ err }, 'the last uses of keys were not kept');
  const keyUses = new KeyUses({ redis, names, onLost });
  const projection = new Projection(redis, names, keys);
  const publisher = new Publisher({
    postgres: own.acrossTenants('publication'),
    projection,
    inbox: new EventInbox(redis, names, config.waitingEvents, waitReplicas),
    sources: [
      allPublishedTenants,
      allPublishedApplications,
      allPublishedProxies,
      allPublishedProxyRollouts,
      allPublishedReactors,
      allPublishedReactorRollouts,
      allPublishedWebhooks,
    ],
    onCheckpoint,
    logger,
    metrics: createPublisherMetrics(metrics),
  });
  redis.on('ready', () => publisher.wake());
  const changes = new Changes({ postgres, projection, publisher, onCheckpoint, publicationTimeoutMs: 5000 });
  return {
    publisher,
    changes,
    figures: rolloutFigures(redis, names),
    outlines: readOutlines(redis, names),
    asyncRequests: readAsyncRequests(redis, names),
    lastUses: lastUses(redis, names),
    deliveries: webhookDeliveries(redis, names, config.waitingEvents),
    keyUses,
    firstAttempt: attempt,
    connected: (timeoutMs) => connected(redis, timeoutMs),
    async [Symbol.asyncDispose]() {
      await Promise.all([publisher[Symbol.asyncDispose](), keyUses[Symbol.asyncDispose]()]);
      redis.disconnect();
      await own[Symbol.asyncDispose]();
    },
  };
}

async function connected(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new AppError('unavailable', 'The store of published records cannot be reached.', { cause });
  }
}
