import { makePartitionsAhead, addLogRoomGauge } from '@glovebox/platform/db/log-partitions';
import { migrateFor } from '@glovebox/platform/db/migrate';
import { type TenantDatabase, isPooled } from '@glovebox/platform/db/postgres';
import { createRedis } from '@glovebox/platform/db/redis';
import { reportRowSecurity } from '@glovebox/platform/db/row-security';
import { openCertificates } from '@glovebox/platform/grpc/certificates';
import type { GrpcServer } from '@glovebox/platform/grpc/server';
import {
  type InternalServer,
  type ReadinessCheck,
  startInternalServer,
} from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { Overload } from '@glovebox/platform/process/overload';
import { meetPreconditions } from '@glovebox/platform/process/preconditions';
import { type WarmUp, startWarmUp } from '@glovebox/platform/process/warm-up';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';
import { redisNames } from '@glovebox/published/keys';

import { AuditSeals } from './audit/audit-seals.ts';
import type { VaultConfig } from './config.ts';
import { connectBeside, connectPostgres, connectPublished, redisConnections } from './connect-stores.ts';
import { createVaultMetrics } from './context/metrics.ts';
import { sessionCheck } from './context/session-check.ts';
import type { VaultContext } from './context/vault-context.ts';
import { createContext } from './create-context.ts';
import type { KeyProvider } from './crypto/key-provider.ts';
import { connectEvents } from './events/connect-events.ts';
import { keysCheck } from './keys/check-keys.ts';
import { type SealWatch, addSealedGauge } from './keys/sealing/watch-seal.ts';
import { openKeys } from './keys/services/open-keys.ts';
import {
  erasePeriodically,
  gatherPeriodically,
  purgePeriodically,
  remakePeriodically,
  rotatePeriodically,
  sealPeriodically,
  tagPeriodically,
} from './maintenance/periodic-tasks.ts';
import { dropAfterStart, openKeyring } from './open-keyring.ts';
import {
  addErasuresGauge,
  addKeyAgeGauge,
  addKeyMaxAgeGauge,
  addKeySealsGauge,
  addUnsealedAgeGauge,
  addUntaggedTokensGauge,
} from './store/age-gauges.ts';
import { auditLog } from './store/audit-partitions.ts';
import { unwritableReason } from './store/check-writable.ts';
import { schema } from './store/migrations.ts';
import { serveCalls } from './transport/serve-calls.ts';
import { warmUpVault } from './warm-up-vault.ts';

export interface Vault extends RunningService {
  readonly grpcPort: number;
  readonly metricsPort: number;
}

const service = 'token-vault';

/** Builds the vault from its configuration. Disposal happens in reverse order. @param warmUpCalls fewer, for tests */
export async function createVault(
  config: VaultConfig,
  logger = loggerOf(config),
  stopping?: AbortSignal,
  warmUpCalls?: number,
): Promise<Vault> {
  await using stack = new AsyncDisposableStack();
  const metrics = createVaultMetrics(createMetrics(service));
  const certificates = stack.use(await openGrpcCertificates(config, metrics.registry, logger));
  const { keys } = await meetPreconditions(
    { ...config.metrics, metrics: metrics.registry, logger, stopping },
    {
      keys: () => openKeys(config.keys),
      postgres: () => migrateFor({ ...config.database, databaseUrl: config.database.url }, schema),
    },
  );

  const postgres = stack.use(connectPostgres(config, logger));
  const beside = isPooled(config.database) ? stack.use(connectBeside(config, logger)) : postgres;
  const rowSecurity = addDatabaseGauges(config, postgres, metrics.registry, logger);
  const { barrier, watch, provider, keyring, keyed } = await openKeyring(stack, config, beside, keys, logger);
  addSealedGauge(metrics.registry, barrier);
  const checkSession = sessionCheck({ postgres, keyring, metrics, logger });
  const published = stack.use(connectPublished(config, checkSession, metrics.registry, logger));
  const connection = redisConnections(config, metrics.registry, logger);
  const redis = createRedis(connection('token-vault-sessions'));
  stack.defer(() => redis.disconnect());
  // Of their own: what waits for replicas must not delay them.
  const usesRedis = createRedis(connection('token-vault-uses'));
  stack.defer(() => usesRedis.disconnect());
  const eventOptions = {
    redis,
    names: redisNames(config.redis),
    waitingEvents: config.waitingEvents,
    waitReplicas: config.redis.waitReplicas,
    postgres: postgres.withoutTenant,
    published,
    metrics: metrics.registry,
    logger,
  };
  const { events } = stack.use(connectEvents(eventOptions));
  const overload = stack.use(new Overload(metrics.registry));
  const parts = { postgres, beside, published, keyring, barrier, metrics, logger, events, overload };
  const context = createContext(config, parts, { redis, usesRedis });
  await makePartitionsAhead(auditLog(postgres.withoutTenant), config.auditRetentionDays, logger);
  startPeriodicTasks(stack, config, context, provider);

  const run = (signal: AbortSignal) => warmUpVault(config, { postgres, redis }, signal, warmUpCalls);
  const warmUp = stack.use(startWarmUp({ limitMs: config.warmUpMs, logger, stopping, run }));
  const internal = stack.use(await listenInternally(config, context, warmUp, watch, provider, rowSecurity));
  await published.attempted();
  const grpc = stack.use(await serveCalls(config, context, keyed, certificates));
  grpc.setServing(true);
  logger.info({ grpc_port: grpc.port, metrics_port: internal.port }, 'started');
  dropAfterStart(barrier);
  return running(stack.move(), grpc, internal.port, logger);
}

function listenInternally(
  config: VaultConfig,
  { postgres, published, keyring, barrier, metrics, logger }: VaultContext,
  warmUp: WarmUp,
  watch: SealWatch,
  provider: KeyProvider,
  rowSecurity: ReadinessCheck,
): Promise<InternalServer> {
  return startInternalServer({
    ...config.metrics,
    metrics: metrics.registry,
    notes: {
      redis: () => published.readinessNote(),
      row_security: rowSecurity,
      sealed: () => watch.note,
    },
    readiness: {
      postgres: () => unwritableReason(postgres.withoutTenant),
      keys: keysCheck(postgres.acrossTenants('readiness'), keyring, provider, barrier, logger),
      redis: () => published.unreadyReason(),
      warm_up: () => warmUp.unreadyReason(),
    },
  });
}

function startPeriodicTasks(
  stack: AsyncDisposableStack,
  config: VaultConfig,
  context: VaultContext,
  provider: KeyProvider,
): void {
  const seals = new AuditSeals(context.postgres.acrossTenants('audit seals'), provider);
  context.barrier.onDrop(() => seals.drop());
  stack.use(gatherPeriodically(context, config.purgeIntervalMs));
  stack.use(sealPeriodically(context, seals, config.auditSealIntervalMs));
  stack.use(purgePeriodically(context, seals, config));
  stack.use(erasePeriodically(context, config.erasure));
  stack.use(tagPeriodically(context, provider, config.tagIntervalMs));
  stack.use(rotatePeriodically(context, config.rotation));
  stack.use(remakePeriodically(context, config.rotation));
  context.keyring.whenIndexChanges(() => context.rows.clear());
}

/** @returns the note on row-level security */
function addDatabaseGauges(
  config: VaultConfig,
  postgres: TenantDatabase,
  metrics: MetricsRegistry,
  logger: Logger,
) {
  const ofAllTenants = postgres.acrossTenants('metrics');
  addKeyAgeGauge(metrics, ofAllTenants);
  addKeyMaxAgeGauge(metrics, config.rotation.maxAgeDays);
  addKeySealsGauge(metrics, ofAllTenants);
  addUnsealedAgeGauge(metrics, ofAllTenants);
  addLogRoomGauge(metrics, auditLog(postgres.withoutTenant));
  addUntaggedTokensGauge(metrics, ofAllTenants);
  addErasuresGauge(metrics, ofAllTenants);
  return reportRowSecurity({ db: postgres.withoutTenant, table: 'token', metrics, logger });
}

function running(stack: AsyncDisposableStack, grpc: GrpcServer, metricsPort: number, logger: Logger): Vault {
  return {
    grpcPort: grpc.port,
    metricsPort,
    async [Symbol.asyncDispose]() {
      logger.info('stopping');
      await stack.disposeAsync();
    },
  };
}

function loggerOf(config: VaultConfig): Logger {
  return createLogger({ service, level: config.logLevel });
}

function openGrpcCertificates({ grpcTls: tls }: VaultConfig, metrics: MetricsRegistry, logger: Logger) {
  return openCertificates({ config: tls, service, logger, metrics });
}
