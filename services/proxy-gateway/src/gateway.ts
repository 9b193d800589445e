import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import type { ListenerAddress } from '@glovebox/egress/own-listeners';
import { type RedisOptions, createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import { type Certificates, openCertificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';
import { answerBrokenRequests } from '@glovebox/platform/http/broken-requests';
import { drainable } from '@glovebox/platform/http/drain';
import { startInternalServer } from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { Overload } from '@glovebox/platform/process/overload';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';
import { redisNames } from '@glovebox/published/keys';
import { type PublishedRecords, openPublishedRecords } from '@glovebox/published/published-records';
import { ShadowRuns } from '@glovebox/published/shadow-runs';
import { connectVault } from '@glovebox/vault-client/connect-vault';

import type { GatewayConfig } from './config.ts';
import { connectReports } from './connect-reports.ts';
import { createEdge } from './create-edge.ts';
import {
  DestinationDispatchers,
  type DestinationDispatchersOptions,
} from './destinations/destination-dispatchers.ts';
import { DestinationGates } from './destinations/destination-gates.ts';
import type { Edge } from './http/exchange.ts';
import { createRequestListener } from './http/request-listener.ts';
import { type RequestObserver, createRequestObserver } from './http/request-observer.ts';
import { createRouter } from './http/router.ts';
import { connectClaims } from './idempotency/connect-claims.ts';
import { connectEvents } from './proxy/events/connect-events.ts';
import { type Dependencies, addresses } from './routes.ts';
import { connectRunner } from './runner/connect-runner.ts';
import { openClientKeys } from './vault/client-keys.ts';

const service = 'proxy-gateway';

export interface Gateway extends RunningService {
  readonly port: number;
  readonly internalPort: number;
}

/** Builds the gateway in order and starts to listen; disposing it drains, then closes in the opposite order. */
export async function startGateway(config: GatewayConfig): Promise<Gateway> {
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
  const events = stack.use(connectEvents({ config, published, logger, metrics, noteLeak }));
  const dependencies: Dependencies = {
    published,
    claims: stack.use(connectClaims(config, logger, metrics)).claims,
    vault: vault.client,
    runner: runner.client,
    ...egress,
    ephemeralProxies: config.ephemeralProxies,
    ...events.handlers,
    shadows: new ShadowRuns(events.counter),
    noteViolation,
    ...boundsOf(config),
  };
  const overload = stack.use(new Overload(metrics));
  const observer = createRequestObserver(logger, metrics, traffic);
  const server = createPublicServer(config, { dependencies, observer, edge, overload });
  const drain = drainable(server, { delayMs: config.drainDelayMs, timeoutMs: config.shutdownTimeoutMs });
  const internal = stack.use(
    await startInternalServer({
      ...config.internal,
      metrics,
      notes: { configuration: () => published.readinessNote() },
      readiness: {
        configuration: () => published.unreadyReason(),
        vault: () => (vault.isReady() ? undefined : 'no connection to the vault'),
        drain: () => drain.unreadyReason() ?? (server.listening ? undefined : 'not listening'),
      },
    }),
  );
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

interface PublicParts {
  readonly dependencies: Dependencies;
  readonly observer: RequestObserver;
  readonly edge: Edge;
  readonly overload: Overload;
}

function createPublicServer(
  config: GatewayConfig,
  { dependencies, observer, edge, overload }: PublicParts,
): Server {
  const router = createRouter(addresses, dependencies);
  const listener = createRequestListener(router, observer, edge, overload);
  const server = createServer(serverOptions(config), (request, response) => void listener(request, response));
  answerBrokenRequests(server, config.docsUrl);
  return server;
}

const serverOptions = ({ limits }: GatewayConfig) => ({
  maxHeaderSize: limits.maxHeaderBytes,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
});

function createEgress(
  { egress }: GatewayConfig,
  listeners: readonly ListenerAddress[],
  metrics: MetricsRegistry,
  clientKeys: Pick<DestinationDispatchersOptions, 'openClientKey' | 'sealWatch'>,
) {
  const { denied, destinationTimeoutMs, maxConnectionsPerOrigin } = egress;
  const egressPolicy = createEgressPolicy(egress);
  const dispatchers = new DestinationDispatchers({
    ...clientKeys,
    create: (tls) =>
      createGuardedDispatcher({
        policy: egressPolicy,
        headersTimeoutMs: destinationTimeoutMs,
        maxConnectionsPerOrigin,
        ownListeners: () => [...listeners, ...denied],
        ...(tls === undefined ? {} : { tls }),
      }),
  });
  // No tenant takes all connections to a destination, so that another's requests never wait for all of them.
  const slots = Math.ceil((maxConnectionsPerOrigin * 3) / 4);
  const bulkhead = { slots, waiting: slots * 4, maxWaitMs: destinationTimeoutMs };
  return { egressPolicy, dispatchers, gates: new DestinationGates(bulkhead, metrics) };
}

/** How much the handlers take of one request or answer. */
function boundsOf({ limits, idempotency }: GatewayConfig) {
  const { maxSearchedBytes, maxFilledBytes, maxTransformedBytes, maxReactBytes, maxTokenBodyBytes } = limits;
  const { maxAnswerBytes } = idempotency;
  return {
    maxSearchedBytes,
    maxFilledBytes,
    maxTransformedBytes,
    maxReactBytes,
    maxBodyBytes: maxTokenBodyBytes,
    maxAnswerBytes,
  };
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
