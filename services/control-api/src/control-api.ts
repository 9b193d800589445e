import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { makePartitionsAhead, reportRoomOfLog } from '@glovebox/platform/db/log-partitions';
import { migrateFor } from '@glovebox/platform/db/migrate';
import { type Postgres, type TenantDatabase, createPostgres } from '@glovebox/platform/db/postgres';
import { createRateLimits } from '@glovebox/platform/db/rate-limits';
import { reportRowSecurity } from '@glovebox/platform/db/row-security';
import { type Certificates, openCertificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';
import { type ReadinessCheck, startInternalServer } from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { type PreconditionOptions, meetPreconditions } from '@glovebox/platform/process/preconditions';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';

import { managementLog } from './audit/store.ts';
import type { AuditSource, ExportSigner, UsageSource } from './audit/vault-sources.ts';
import type { ControlConfig } from './config.ts';
import { createPublication } from './connect-publication.ts';
import { firstConnection } from './first-connection.ts';
import { type IdentityProvider, createProvider } from './identity/provider.ts';
import { LiveStreams } from './invocations/live-streams.ts';
import { createKeyedRequests } from './keyed-requests.ts';
import { schema } from './migrations.ts';
import { createRunnerCompiler } from './peers/runner-compiler.ts';
import { createRunnerInvocationLogs } from './peers/runner-invocation-logs.ts';
import { createRunnerTrier } from './peers/runner-trier.ts';
import { createVaultAudit } from './peers/vault-audit.ts';
import { createVaultEraser } from './peers/vault-eraser.ts';
import { createVaultExportSigner } from './peers/vault-export-signer.ts';
import { createVaultSealer } from './peers/vault-sealer.ts';
import { createVaultTokens } from './peers/vault-tokens.ts';
import { createVaultUsage } from './peers/vault-usage.ts';
import type { InvocationLogs } from './people/invocation-logs.ts';
import type { TokenSource } from './people/token-source.ts';
import { startPeriodicTasks } from './periodic-tasks.ts';
import { openPublicationKeys } from './publication-keys.ts';
import type { OnCheckpoint } from './publication/checkpoints.ts';
import type { PublicationKeys } from './publication/projection.ts';
import type { Publisher } from './publication/publisher.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { TenantEraser } from './tenants/eraser.ts';
import { createApp } from './transport/app.ts';
import { type HttpServer, startHttpServer } from './transport/server.ts';

/** For tests, but for the first. */
export interface ControlOverrides {
  /** Ends the start. */
  readonly stopping?: AbortSignal;
  readonly logger?: Logger;
  /** In place of the vault. */
  readonly sealer?: Sealer;
  /** In place of the vault. */
  readonly eraser?: TenantEraser;
  /** In place of the vault. */
  readonly tokens?: TokenSource;
  /** In place of the vault. */
  readonly audit?: AuditSource;
  /** In place of the vault. */
  readonly usage?: UsageSource;
  /** In place of the vault. */
  readonly exportSigner?: ExportSigner;
  /** In place of the runner. */
  readonly invocationLogs?: InvocationLogs;
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
  const { vault, runner, ...peers } = starting.use(connectPeers(config, certificates, keys, overrides));
  const { publisher, changes, figures, attempted, ...readers } = starting.use(
    createPublication({ config, keys, logger, metrics, postgres, onCheckpoint: overrides.onCheckpoint }),
  );
  publisher.start();

  const sealer = overrides.sealer ?? createVaultSealer(vault);
  const eraser = overrides.eraser ?? createVaultEraser(vault);
  const keyed = starting.use(createKeyedRequests({ ...overrides, config, logger, changes, sealer }));
  let http: HttpServer | undefined;
  const internal = starting.use(
    await startInternal(config, {
      metrics,
      postgres,
      logger,
      publisher,
      vault: overrides.sealer === undefined ? vault : undefined,
      runner,
      drain: () => (http === undefined ? 'not listening' : http.unreadyReason()),
    }),
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
  await Promise.all([attempted(), limits?.attempted()]);
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

/** The operations' clients of the vault and the runner. */
function readersOf(vault: GrpcChannel, runner: GrpcChannel, { signing }: PublicationKeys) {
  return {
    compiler: createRunnerCompiler(runner),
    trier: createRunnerTrier(runner, signing),
    invocationLogs: createRunnerInvocationLogs(runner),
    usage: createVaultUsage(vault),
    tokens: createVaultTokens(vault),
    audit: createVaultAudit(vault),
    exportSigner: createVaultExportSigner(vault),
  };
}

/** The parts of the vault and the runner that something else stands in for. */
function replaced({ tokens, audit, usage, exportSigner, invocationLogs }: ControlOverrides) {
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(audit === undefined ? {} : { audit }),
    ...(usage === undefined ? {} : { usage }),
    ...(exportSigner === undefined ? {} : { exportSigner }),
    ...(invocationLogs === undefined ? {} : { invocationLogs }),
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

function connectPeers(
  { serviceToken, vaultAddress, runnerAddress }: ControlConfig,
  certificates: Certificates | undefined,
  keys: PublicationKeys,
  overrides: ControlOverrides,
) {
  const connect = (peer: string, address: string) =>
    createGrpcChannel({ address, token: serviceToken, tls: { peer, certificates } });
  const vault = connect('token-vault', vaultAddress);
  const runner = connect('reactor-runner', runnerAddress);
  return {
    vault,
    runner,
    ...readersOf(vault, runner, keys),
    ...replaced(overrides),
    [Symbol.dispose]() {
      vault.close();
      runner.close();
    },
  };
}

interface Watched {
  readonly metrics: MetricsRegistry;
  readonly postgres: Pick<Postgres, 'ping' | 'withoutTenant'>;
  readonly logger: Logger;
  readonly publisher: Publisher;
  /** Undefined when another sealer replaces it. */
  readonly vault: GrpcChannel | undefined;
  readonly runner: GrpcChannel;
  readonly drain: ReadinessCheck;
}

function startInternal(config: ControlConfig, watched: Watched) {
  const { metrics, postgres, logger, publisher, vault, runner, drain } = watched;
  const db = postgres.withoutTenant;
  reportRoomOfLog(metrics, managementLog(db));
  return startInternalServer({
    host: config.metricsHost,
    port: config.metricsPort,
    metrics,
    notes: { row_security: reportRowSecurity({ db, table: 'applications', metrics, logger }) },
    readiness: {
      postgres: () => postgres.ping().then(nothing, () => 'no answer'),
      projection: () => publisher.problem(),
      vault: () => vault?.waitForReady(500).then(nothing, () => 'not connected'),
      runner: firstConnection(runner),
      drain,
    },
  });
}

function createLimits(config: ControlConfig, logger: Logger, metrics: MetricsRegistry) {
  const { windowMs, perKey, perTenant } = config.rateLimits;
  return createRateLimits({
    points: { key: perKey, tenant: perTenant },
    windowMs,
    redisUrl: config.redisUrl,
    prefix: `${config.redisPrefix}:rate:control`,
    connectionName: 'control-api-rates',
    // Slow management is better than management that nobody counts.
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

const nothing = () => undefined;
