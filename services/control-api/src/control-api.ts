import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { makePartitionsAhead } from '@glovebox/platform/db/log-partitions';
import { migrateFor } from '@glovebox/platform/db/migrate';
import { type Postgres, type TenantDatabase, createPostgres } from '@glovebox/platform/db/postgres';
import { createRateLimits } from '@glovebox/platform/db/rate-limits';
import { openCertificates } from '@glovebox/platform/grpc/certificates';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { type PreconditionOptions, meetPreconditions } from '@glovebox/platform/process/preconditions';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';

import { managementLog } from './audit/store.ts';
import type { ControlConfig } from './config.ts';
import { type PeerOverrides, connectPeers } from './connect-peers.ts';
import { createPublication } from './connect-publication.ts';
import { type IdentityProvider, createProvider } from './identity/provider.ts';
import { LiveStreams } from './invocations/live-streams.ts';
import { createKeyedRequests } from './keyed-requests.ts';
import { schema } from './migrations.ts';
import { startPeriodicTasks } from './periodic-tasks.ts';
import { openPublicationKeys } from './publication-keys.ts';
import type { OnCheckpoint } from './publication/checkpoints.ts';
import { startInternal } from './start-internal.ts';
import { createApp } from './transport/app.ts';
import { type HttpServer, startHttpServer } from './transport/server.ts';

/** For tests, except `stopping`. */
export interface ControlOverrides extends PeerOverrides {
  /** Ends the start. */
  readonly stopping?: AbortSignal;
  readonly logger?: Logger;
  readonly onCheckpoint?: OnCheckpoint;
  /** By which answers to idempotency keys expire. */
  readonly clock?: () => number;
}

export interface ControlApi extends RunningService {
  readonly httpPort: number;
  readonly metricsPort: number;
}

const service = 'control-api';

/** Starts the service; disposing it ends it in the reverse order. */
export async function startControlApi(
  config: ControlConfig,
  overrides: ControlOverrides = {},
): Promise<ControlApi> {
  const logger = overrides.logger ?? createLogger({ service, level: config.logLevel });
  const metrics = createMetrics(service);
  await using starting = new AsyncDisposableStack();
  const keys = await openPublicationKeys(config);
  const tls = { config: config.grpcTls, service, logger, metrics };
  const certificates = starting.use(await openCertificates(tls));
  await bringUpToDate(config, { logger, metrics, stopping: overrides.stopping });
  const postgres = starting.use(await openDatabase(config, logger));
  const { vault, runner, sealer, eraser, ...peers } = starting.use(
    connectPeers(config, certificates, keys, overrides),
  );
  const { firstAttempt, publisher, changes, figures, ...readers } = starting.use(
    createPublication({ ...overrides, config, keys, logger, metrics, postgres }),
  );
  publisher.start();

  const keyed = starting.use(createKeyedRequests({ ...overrides, config, logger, changes, sealer }));
  let http: HttpServer | undefined;
  const drain = () => (http === undefined ? 'not listening' : http.unreadyReason());
  const internal = starting.use(
    await startInternal(config, { metrics, postgres, logger, publisher, vault, runner, drain }),
  );
  const shared = { postgres, changes, figures, eraser, sealer };
  starting.use(startPeriodicTasks(config, { ...shared, logger }));
  const liveStreams = new LiveStreams();
  const limits = starting.use(createLimits(config, logger, metrics));
  const app = createApp({
    logger,
    metrics,
    dependencies: { ...shared, ...readers, liveStreams, ...peers, ...boundsOf(config) },
    runIdempotently: keyed.runIdempotently,
    limits,
    aliases: config.aliases,
    trustedHops: config.trustedHops,
    docsUrl: config.docsUrl,
    signIn: { ...config.signIn, provider: starting.use(connectProvider(config)) },
  });
  // The first requests need Redis: without it a change is refused, and each process counts for itself.
  await Promise.all([firstAttempt, limits?.attempted()]);
  http = starting.use(await startHttpServer(app, listenOn(config)));
  starting.use(liveStreams);
  logger.info({ port: http.port, metrics_port: internal.port }, 'listening');

  const running = starting.move();
  return {
    httpPort: http.port,
    metricsPort: internal.port,
    stopsWithinMs: config.drainDelayMs + config.shutdownTimeoutMs,
    async [Symbol.asyncDispose]() {
      await running.disposeAsync();
      logger.info('stopped');
    },
  };
}

/** What the operator allows requests to hold. */
function boundsOf(config: ControlConfig) {
  const { egressProfile: profile, egressAllowHosts: allowHosts, urlLength, expiring } = config;
  const access = { ...config.inputLimits.access, localDestinations: profile === 'development' };
  const inputLimits = { ...config.inputLimits, access };
  return { egressPolicy: createEgressPolicy({ profile, allowHosts, urlLength }), inputLimits, expiring };
}

/** Undefined where people sign in with keys only. */
function connectProvider(config: ControlConfig): IdentityProvider | undefined {
  const { provider, consoleUrl } = config.signIn;
  if (provider === undefined) return undefined;
  const redirectUri = `${consoleUrl}/session/callback`;
  const { egressPolicy } = boundsOf(config);
  return createProvider({ ...provider, issuer: new URL(provider.issuer), redirectUri, egressPolicy });
}

/** Waits for the database, and says on the internal port what it waits for. */
async function bringUpToDate(
  { metricsHost: host, metricsPort: port, databaseUrl, directUrl, migrationUrl }: ControlConfig,
  own: Pick<PreconditionOptions, 'logger' | 'metrics' | 'stopping'>,
): Promise<void> {
  await meetPreconditions(
    { host, port, ...own },
    { postgres: () => migrateFor({ databaseUrl, directUrl, migrationUrl }, schema) },
  );
}

function createLimits(config: ControlConfig, logger: Logger, metrics: MetricsRegistry) {
  const { windowMs, perKey, perTenant } = config.rateLimits;
  return createRateLimits({
    points: { key: perKey, tenant: perTenant },
    windowMs,
    redisUrl: config.redisUrl,
    prefix: `${config.redisPrefix}:rate:control`,
    connectionName: 'control-api-rates',
    // Slow management is better than uncounted management.
    commandTimeoutMs: 2000,
    metrics,
    logger,
  });
}

function listenOn(config: ControlConfig) {
  const { httpHost: host, httpPort: port, drainDelayMs: delayMs, shutdownTimeoutMs: timeoutMs } = config;
  return { host, port, delayMs, timeoutMs, docsUrl: config.docsUrl };
}

/** With room in the log for what is to come. */
async function openDatabase(
  config: ControlConfig,
  logger: Logger,
): Promise<ReturnType<typeof connectPostgres>> {
  const postgres = connectPostgres(config, logger);
  await makePartitionsAhead(managementLog(postgres.withoutTenant), config.logRetention.days, logger);
  return postgres;
}

function connectPostgres(
  config: ControlConfig,
  logger: Logger,
): Pick<Postgres, 'ping'> & TenantDatabase & AsyncDisposable {
  return createPostgres({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: service,
    onError: (error) => logger.warn({ err: error }, 'postgres connection'),
  });
}
