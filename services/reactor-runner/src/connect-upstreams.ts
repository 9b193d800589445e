import { type RedisOptions, createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Certificates } from '@glovebox/platform/grpc/certificates';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { type EgressViolation, EgressViolations } from '@glovebox/published/egress-violations';
import { redisNames } from '@glovebox/published/keys';
import { type PublishedRecords, openPublishedRecords } from '@glovebox/published/published-records';
import { type ResponseLeak, ResponseLeaks } from '@glovebox/published/response-leaks';
import { connectVault } from '@glovebox/vault-client/connect-vault';
import { egressReporter } from '@glovebox/vault-client/egress-reporter';
import { leakReporter } from '@glovebox/vault-client/leak-reporter';
import { type SealWatch, watchSeal } from '@glovebox/vault-client/seal-watch';
import { Traffic, trafficReporter } from '@glovebox/vault-client/traffic';
import type { VaultClient } from '@glovebox/vault-client/vault-client';
import { vaultSealing } from '@glovebox/vault-client/vault-sealing';

import type { RunnerConfig } from './config.ts';
import { openConfiguration } from './configurations/open-configuration.ts';
import type { OpenConfiguration } from './configurations/version-cache.ts';
import type { EventContext } from './deliveries/event-message.ts';
import { openSecret } from './deliveries/open-secret.ts';
import { type LogSealing, vaultLogSealing } from './invocation-log/log-sealing.ts';
import type { RunCodeContext } from './invocation/run-code.ts';
import { type RequestSealing, vaultRequestSealing } from './requests/request-sealing.ts';

/** The vault and Redis, as the runner itself uses them. */
export interface Upstreams extends AsyncDisposable {
  /** The configuration that is published in Redis. */
  readonly published: PublishedRecords;
  readonly vault: VaultClient;
  readonly openConfiguration: OpenConfiguration;
  /** Stand-ins of it, for dry runs. */
  readonly standInConfiguration: OpenConfiguration;
  readonly sealWatch: SealWatch;
  readonly logSealing: LogSealing;
  readonly requestSealing: RequestSealing;
  readonly openSecret: EventContext['openSecret'];
  /** Reports a request that an egress policy does not allow. */
  readonly noteViolation: (violation: EgressViolation) => void;
  /** Counts and reports an answer that contained a value of its arguments. */
  readonly noteLeak: (leak: ResponseLeak) => void;
  /** Where runs of code report violations and killed workers. */
  readonly runReports: Pick<RunCodeContext, 'noteViolation' | 'noteKilled'>;
}

const openTimeoutMs = 5000;

/** Connects in the background. Calls that need neither are served meanwhile. */
export function connectUpstreams(
  config: RunnerConfig,
  certificates: Certificates | undefined,
  metrics: MetricsRegistry,
  logger: Logger,
): Upstreams {
  const published = openPublished(config, metrics, logger);
  const channel = createGrpcChannel({
    address: config.vault.address,
    token: config.serviceToken,
    tls: { peer: 'token-vault', certificates },
  });
  const { timeoutMs, maxOpenCalls } = config.vault;
  const vault = connectVault({ channel, timeoutMs, maxOpenCalls, metrics });
  const violations = new EgressViolations({
    report: egressReporter(channel),
    onLost: (err) => logger.warn({ err }, 'a violation of an egress policy is not recorded yet'),
    metrics,
  });
  const leaks = new ResponseLeaks({
    report: leakReporter(channel),
    onLost: (err) => logger.warn({ err }, 'a leak is not recorded yet'),
    metrics,
  });
  const traffic = new Traffic({
    report: trafficReporter(channel),
    onLost: (err) => logger.warn({ err }, 'the figures of some seconds are lost'),
  });
  const seal = watchSeal(channel);
  const configurations = vaultSealing(channel, openTimeoutMs, 'keeps the configuration');
  const secrets = vaultSealing(channel, openTimeoutMs, 'keeps the secrets of webhooks');
  return {
    published,
    vault: vault.client,
    openConfiguration: (record, correlationId) => openConfiguration(configurations, record, correlationId),
    standInConfiguration: (record, correlationId) =>
      openConfiguration({ open: (...items) => configurations.standIn(...items) }, record, correlationId),
    sealWatch: seal.watch,
    logSealing: vaultLogSealing(channel),
    requestSealing: vaultRequestSealing(channel, timeoutMs),
    openSecret: (...of) => openSecret(secrets, ...of),
    noteViolation: (violation) => violations.note(violation),
    noteLeak: (leak) => leaks.note(leak),
    runReports: {
      noteViolation: (violation) => violations.note(violation),
      noteKilled: (tenantId) => traffic.noteKilled(tenantId),
    },
    async [Symbol.asyncDispose]() {
      await seal[Symbol.asyncDispose]();
      await violations[Symbol.asyncDispose]();
      await leaks[Symbol.asyncDispose]();
      await traffic[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
      channel.close();
      await published[Symbol.asyncDispose]();
    },
  };
}

function openPublished(config: RunnerConfig, metrics: MetricsRegistry, logger: Logger): PublishedRecords {
  const connection = (connectionName: string): RedisOptions => ({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 500,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
  return openPublishedRecords({
    redis: createRedis(connection('reactor-runner')),
    subscriber: createSubscriber(connection('reactor-runner-changes')),
    names: redisNames(config.redis),
    publicKeys: config.publicationKeys,
    metrics,
    snapshotFolder: config.publishedCache.snapshotFolder,
    cache: { ...config.publishedCache, retryAfterMs: 1000 },
    logger,
  });
}
