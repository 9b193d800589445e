import { fileURLToPath } from 'node:url';

import { withFrames } from '@glovebox/platform/calls/frame-serializer';
import { type Certificates, openCertificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcServer, startGrpcServer } from '@glovebox/platform/grpc/server';
import { unary } from '@glovebox/platform/grpc/unary';
import { startInternalServer } from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import {
  type CompileRequest,
  ExchangeRequest,
  ExchangeResponse,
  type RunnerServiceServer,
  RunnerServiceService,
} from '@glovebox/protos/runner/v1/runner';

import type { OnStep } from './async/perform-job.ts';
import { answerAsk } from './bt/answer-bt-request.ts';
import { TenantAsks } from './bt/tenant-bt-requests.ts';
import type { RunnerConfig } from './config.ts';
import { ProxyVersions } from './configurations/proxy-versions.ts';
import { ReactorConfigurations } from './configurations/reactor-configurations.ts';
import { connectAsync } from './connect-async.ts';
import { type DeliveriesOptions, connectDeliveries } from './connect-deliveries.ts';
import { type JournalConnection, connectJournal } from './connect-invocation-log.ts';
import { connectRates } from './connect-rates.ts';
import { connectUpstreams } from './connect-upstreams.ts';
import { type RunnerMetrics, createRunnerMetrics } from './metrics.ts';
import { networkOptions } from './network-options.ts';
import { type UserCodeFiles, prepareUserCodeFiles } from './node16/library/user-code-files.ts';
import { compile } from './operations/compile.ts';
import { Compiler } from './scheduling/compiler.ts';
import { Loader } from './scheduling/loader.ts';
import { type PoolOptions, WorkerPool } from './scheduling/worker-pool.ts';
import { allowTable } from './transport/allow-table.ts';
import { type ExchangeContext, exchange } from './transport/dispatch.ts';
import { serveExchange } from './transport/serve-calls.ts';
import type { WorkerLimits } from './worker-process/worker-process.ts';

export interface Runner extends RunningService {
  readonly grpcPort: number;
  readonly metricsPort: number;
}

/** For tests. */
export interface RunnerHooks {
  readonly onStep?: OnStep | undefined;
  readonly onAttempt?: DeliveriesOptions['onAttempt'] | undefined;
}

const nothing = () => undefined;

const definition = {
  ...RunnerServiceService,
  exchange: withFrames(RunnerServiceService.exchange, ExchangeRequest, ExchangeResponse),
};
const protoDir = fileURLToPath(new URL('../../../protos', import.meta.url));

/** Builds the runner from its configuration, in order; what is returned ends it, in reverse order. */
export async function startRunner(
  config: RunnerConfig,
  logger = loggerOf(config),
  { onStep = nothing, onAttempt = nothing }: RunnerHooks = {},
): Promise<Runner> {
  await using stack = new AsyncDisposableStack();
  const metrics: RunnerMetrics = createRunnerMetrics(() => pool.counts);
  const answer: PoolOptions['answerAsk'] = (job, ...ask) => answerAsk(asking, job, ...ask);
  const onOutcome: PoolOptions['onOutcome'] = (outcome, seconds, job, log) => {
    metrics.observe(outcome, seconds);
    kept.journal.record(job, outcome, seconds, log);
  };
  const certificates = stack.use(await openGrpcCertificates(config, metrics, logger));
  const prepared = stack.use(await prepareUserCodeFiles(logger));
  const { files } = prepared;
  const pool = stack.use(createPool(config, logger, files, { answerAsk: answer, onOutcome }));
  const internal = stack.use(await listenInternally(config, metrics, pool));
  const upstreams = stack.use(connectUpstreams(config, certificates, metrics.registry, logger));
  const kept: JournalConnection = stack.use(
    connectJournal(config, upstreams.sealing, metrics.registry, logger),
  );
  const told = stack.use(connectDeliveries({ config, upstreams, metrics, logger, onAttempt }));
  const { limits, docsUrl } = config;
  const context = {
    pool,
    limits,
    docsUrl,
    logger,
    registry: upstreams.registry,
    vault: upstreams.vault,
    proxies: new ProxyVersions(upstreams),
    configurations: new ReactorConfigurations(upstreams),
    sealing: upstreams.sealing,
    invocations: kept.invocations,
    events: told.events,
    callbackPolicy: told.policy,
  };
  const rates = connectRates(config, metrics.registry, logger);
  stack.defer(() => rates?.[Symbol.dispose]());
  const asking = { ...context, metrics, rates, tenantAsks: new TenantAsks(limits) };
  const later = stack.use(
    connectAsync({
      config,
      context: asking,
      createPool: (answerAsk) =>
        createPool(config, logger, files, { answerAsk, onOutcome }, asyncPool(config)),
      sealing: upstreams.jobSealing,
      deliveries: told.deliveries,
      onStep,
    }),
  );
  const compiling = { ...openChecks(stack, config, prepared), limits, logger };
  const implementation = implement({ ...context, ...later.accepting }, compiling);
  await upstreams.registry.attempted();
  const grpc = stack.use(await serve(config, certificates, implementation, logger));
  logger.info({ grpc_port: grpc.port, metrics_port: internal.port }, 'started');
  const end = endOf(stack.move(), [later, told], logger);
  return { grpcPort: grpc.port, metricsPort: internal.port, [Symbol.asyncDispose]: end };
}

/** What code goes through when it is saved. */
function openChecks(
  stack: AsyncDisposableStack,
  config: RunnerConfig,
  prepared: Awaited<ReturnType<typeof prepareUserCodeFiles>>,
): { readonly compiler: Compiler; readonly loader: Loader } {
  const limits = workerLimits(config);
  const compiler = stack.use(new Compiler(limits));
  const loader = stack.use(
    new Loader({
      limits: { ...limits, ...prepared.files },
      loadMs: config.limits.loadMs,
      waitMs: loadWaitMs,
      isReady: () => prepared.areWhole,
    }),
  );
  return { compiler, loader };
}

function endOf(
  owned: AsyncDisposableStack,
  consumers: readonly { stop(): Promise<void> }[],
  logger: Logger,
): () => Promise<void> {
  return async () => {
    logger.info('stopping');
    // While the others' requests end, so that all together take no longer than one.
    for (const consumer of consumers) void consumer.stop();
    await owned.disposeAsync();
  };
}

function implement(context: ExchangeContext, compiling: Parameters<typeof compile>[0]): RunnerServiceServer {
  return {
    exchange: serveExchange((frame) => exchange(context, frame)),
    compile: unary((request: CompileRequest, call) => compile(compiling, request, call)),
  };
}

function listenInternally(
  { metrics: address }: RunnerConfig,
  { registry }: RunnerMetrics,
  pool: WorkerPool,
): ReturnType<typeof startInternalServer> {
  return startInternalServer({
    ...address,
    metrics: registry,
    readiness: { workers: () => (pool.isReady ? undefined : 'no worker process is ready') },
  });
}

async function serve(
  { grpc, peers, shutdownTimeoutMs }: RunnerConfig,
  certificates: Certificates | undefined,
  implementation: RunnerServiceServer,
  logger: Logger,
): Promise<GrpcServer> {
  const server = await startGrpcServer({
    host: grpc.host,
    port: grpc.port,
    services: [{ definition, implementation }],
    certificates,
    peers,
    allow: allowTable,
    ...(grpc.reflection ? { reflection: { protoDir, protoFiles: ['runner/v1/runner.proto'] } } : {}),
    shutdownTimeoutMs,
    logger,
  });
  server.setServing(true);
  return server;
}

function createPool(
  config: RunnerConfig,
  logger: Logger,
  files: UserCodeFiles,
  events: Pick<PoolOptions, 'answerAsk' | 'onOutcome'>,
  own: Partial<PoolOptions> = {},
): WorkerPool {
  const { limits } = config;
  return new WorkerPool({
    size: config.workers,
    wallMs: limits.wallMs,
    jobsPerTenant: limits.callsPerTenant,
    queuedBytes: limits.queuedBytes,
    worker: { ...workerLimits(config), ...files },
    logger,
    ...events,
    ...own,
  });
}

/** After those of the compiler (scheduling/compiler.ts), and low enough for users that nobody else has (worker-process/spawn-worker.ts). */
const firstAsyncSlot = 551;

/** Nobody waits for what runs there, so a worker whose turn is over may finish what it has begun. */
function asyncPool({ async: { workers, wallMs } }: RunnerConfig): Partial<PoolOptions> {
  return { size: workers, wallMs, lastCallsMs: wallMs, firstSlot: firstAsyncSlot };
}

function workerLimits(config: RunnerConfig): WorkerLimits {
  const { limits } = config;
  return {
    network: networkOptions(config),
    memoryMb: limits.isolateMemoryMb,
    processMemoryMb: limits.workerMemoryMb,
    argumentBytes: limits.argumentBytes,
    resultLength: limits.resultLength,
    logLength: limits.logLength,
    logLines: limits.logLines,
    asksAtOnce: limits.asksAtOnce,
    asksPerCall: limits.asksPerCall,
    askBytes: limits.askBytes,
    suspendedPerWorker: limits.suspendedPerWorker,
    runsPerIsolate: limits.runsPerIsolate,
    startMs: workerStartMs,
  };
}

/** Half of what control-api waits for all of it. */
const loadWaitMs = 6000;

/** A hundred and fifty times of what it takes on an idle machine: to begin anew makes a busy one busier. */
const workerStartMs = 30_000;

function openGrpcCertificates({ grpcTls: tls }: RunnerConfig, { registry }: RunnerMetrics, logger: Logger) {
  return openCertificates({ config: tls, service: 'reactor-runner', logger, metrics: registry });
}

function loggerOf(config: RunnerConfig): Logger {
  return createLogger({ service: 'reactor-runner', level: config.logLevel });
}
