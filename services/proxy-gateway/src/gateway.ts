import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ListenerAddress } from '@glovebox/egress/own-listeners';
import { type RedisOptions, createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import { type Certificates, openCertificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';
import { type HttpDrain, drainable } from '@glovebox/platform/http/drain';
import { type InternalServer, startInternalServer } from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { Overload } from '@glovebox/platform/process/overload';
import { type WarmUp, startWarmUp } from '@glovebox/platform/process/warm-up';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';
import { redisNames } from '@glovebox/published/keys';
import { type PublishedRecords, openPublishedRecords } from '@glovebox/published/published-records';
import { type VaultConnection, connectVault } from '@glovebox/vault-client/connect-vault';

import type { GatewayConfig } from './config.ts';
import { connectReports } from './connect-reports.ts';
import { createDependencies } from './create-dependencies.ts';
import { createEdge } from './create-edge.ts';
import { createEgress } from './create-egress.ts';
import { createPublicServer } from './create-public-server.ts';
import { createRequestObserver } from './http/request-observer.ts';
import { connectClaims } from './idempotency/connect-claims.ts';
import { connectEvents } from './proxy/events/connect-events.ts';
import { connectRunner } from './runner/connect-runner.ts';
import { openClientKeys } from './vault/client-keys.ts';
import { warmUpGateway } from './warm-up-gateway.ts';

const service = 'proxy-gateway';

export interface Gateway extends RunningService {
  readonly port: number;
  readonly internalPort: number;
}

/**
 * Builds the gateway in order and starts to listen; disposing it drains, then closes in the opposite order.
 * @param stopping ends the warm-up before the drain
 * @param warmUpRequests for tests
 */
export async function startGateway(
  config: GatewayConfig,
  stopping?: AbortSignal,
  warmUpRequests?: number,
): Promise<Gateway> {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger({ service, level: config.logLevel });
  const metrics = createMetrics(service);
  const published = stack.use(connectPublishedRecords(config, metrics, logger));
  const certificates = stack.use(await openGrpcCertificates(config, metrics, logger));
  const channel = createVaultChannel(config, certificates);
  stack.defer(() => channel.close());
  const { vaultTimeoutMs: timeoutMs, maxCallsInFlight: maxOpenCalls } = config.limits;
  const vault = stack.use(connectVault({ channel, timeoutMs, maxOpenCalls, metrics }));
  const runner = stack.use(connectRunner(config, certificates, metrics));
  const listeners: ListenerAddress[] = [];
  const clientKeys = stack.use(openClientKeys(channel, timeoutMs));
  const egress = createEgress(config, listeners, metrics, clientKeys);
  stack.use(egress.dispatchers);
  const edge = stack.use(createEdge(config, logger, metrics));
  const { noteViolation, noteLeak, traffic } = stack.use(connectReports(channel, metrics, logger));
  const { lookups } = published;
  const dependencies = createDependencies(config, {
    published: lookups,
    claims: stack.use(connectClaims(config, logger, metrics)).claims,
    vault: vault.client,
    runner: runner.client,
    egress,
    noteViolation,
    ...stack.use(connectEvents({ config, published: lookups, logger, metrics, noteLeak })),
  });
  const overload = stack.use(new Overload(metrics));
  const observer = createRequestObserver(logger, metrics, traffic);
  const server = createPublicServer(config, { dependencies, observer, edge, overload });
  const drain = drainable(server, { delayMs: config.drainDelayMs, timeoutMs: config.shutdownTimeoutMs });
  const run = (signal: AbortSignal) => warmUpGateway(config, signal, warmUpRequests);
  const warmUp = stack.use(startWarmUp({ limitMs: config.warmUpMs, logger, stopping, run }));
  const internal = stack.use(
    await listenInternally(config, metrics, { published, vault, server, drain, warmUp }),
  );
  await edge.attempted();
  await once(server.listen(config.http.port, config.http.host), 'listening');
  stack.use(drain);
  const address = server.address() as AddressInfo;
  // A server that is closing has no address any more, and its last requests still dial.
  listeners.push(address, { address: config.internal.host, port: internal.port });
  logger.info({ port: address.port, internalPort: internal.port }, 'listening');
  const owned = stack.move();
  return {
    port: address.port,
    internalPort: internal.port,
    stopsWithinMs: config.drainDelayMs + config.shutdownTimeoutMs,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface WatchedParts {
  readonly published: PublishedRecords;
  readonly vault: VaultConnection;
  readonly server: Server;
  readonly drain: HttpDrain;
  readonly warmUp: WarmUp;
}

function listenInternally(
  config: GatewayConfig,
  metrics: MetricsRegistry,
  { published, vault, server, drain, warmUp }: WatchedParts,
): Promise<InternalServer> {
  return startInternalServer({
    ...config.internal,
    metrics,
    notes: { configuration: () => published.readinessNote() },
    readiness: {
      configuration: () => published.unreadyReason(),
      vault: () => (vault.isReady() ? undefined : 'no connection to the vault'),
      drain: () => drain.unreadyReason() ?? (server.listening ? undefined : 'not listening'),
      warm_up: () => warmUp.unreadyReason(),
    },
  });
}

function openGrpcCertificates({ grpcTls }: GatewayConfig, metrics: MetricsRegistry, logger: Logger) {
  return openCertificates({ config: grpcTls, service, logger, metrics });
}

function createVaultChannel(config: GatewayConfig, certificates: Certificates | undefined): GrpcChannel {
  const { vaultAddress: address, serviceToken: token } = config;
  return createGrpcChannel({ address, token, tls: { peer: 'token-vault', certificates } });
}

function connectPublishedRecords(
  config: GatewayConfig,
  metrics: MetricsRegistry,
  logger: Logger,
): PublishedRecords {
  const connection = (connectionName: string): RedisOptions => ({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 500,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
  return openPublishedRecords({
    redis: createRedis(connection('proxy-gateway')),
    subscriber: createSubscriber(connection('proxy-gateway-changes')),
    names: redisNames(config.redis),
    publicKeys: config.publicationKeys,
    metrics,
    snapshotFolder: config.publishedCache.snapshotFolder,
    cache: { ...config.publishedCache, retryAfterMs: 1000 },
    logger,
  });
}
