import { fileURLToPath } from 'node:url';

import { type Certificates, openCertificates } from '@glovebox/platform/grpc/certificates';
import { type GrpcServer, startGrpcServer } from '@glovebox/platform/grpc/server';
import { unary } from '@glovebox/platform/grpc/unary';
import { startInternalServer } from '@glovebox/platform/http/internal-server';
import type { RunningService } from '@glovebox/platform/process/lifecycle';
import { type Logger, createLogger } from '@glovebox/platform/telemetry/logger';
import type {
  CompileRequest,
  ReadInvocationLogRequest,
  RunnerServiceServer,
  TryRequest,
} from '@glovebox/protos/runner/v1/runner';

import type { OnAttemptStep } from './async/perform-job.ts';
import { answerBtRequest } from './bt/answer-bt-request.ts';
import { TenantBtRequests } from './bt/tenant-bt-requests.ts';
import type { RunnerConfig } from './config.ts';
import { ProxyVersions } from './configurations/proxy-versions.ts';
import { ReactorConfigurations } from './configurations/reactor-configurations.ts';
import { connectAsync } from './connect-async.ts';
import { type DeliveriesOptions, connectDeliveries } from './connect-deliveries.ts';
import { type InvocationLogConnection, connectInvocationLog } from './connect-invocation-log.ts';
import { connectRates } from './connect-rates.ts';
import { type Upstreams, connectUpstreams } from './connect-upstreams.ts';
import { createOnLeak } from './deliveries/leak-event.ts';
import { type RunnerMetrics, createRunnerMetrics } from './metrics.ts';
import { type PreparedFiles, prepareUserCodeFiles } from './node16/library/user-code-files.ts';
import { type CompileContext, compile } from './operations/compile.ts';
import {
  ReadCounts,
  type ReadInvocationLogContext,
  readInvocationLog,
} from './operations/read-invocation-log.ts';
import { TrialCounts, type TryContext, tryCode } from './operations/try-code.ts';
import { asyncPools, openPools, workerLimits } from './pools.ts';
import { Compiler } from './scheduling/compiler.ts';
import { Loader } from './scheduling/loader.ts';
import type { PoolOptions, WorkerPool } from './scheduling/worker-pool.ts';
import { type DispatchContext, dispatch } from './transport/dispatch.ts';
import { allowTable, definition, serveCalls } from './transport/serve-calls.ts';

export interface Runner extends RunningService {
  readonly grpcPort: number;
  readonly metricsPort: number;
}

/** For tests. */
export interface RunnerHooks {
  readonly onStep?: OnAttemptStep | undefined;
  readonly onAttempt?: DeliveriesOptions['onAttempt'] | undefined;
}

const nothing = () => undefined;
const service = 'reactor-runner';

const protoDir = fileURLToPath(new URL('../../../protos', import.meta.url));

/** Builds the runner from its configuration. Disposing the result ends the parts in reverse order. */
export async function startRunner(
  config: RunnerConfig,
  logger = createLogger({ service, level: config.logLevel }),
  { onStep = nothing, onAttempt = nothing }: RunnerHooks = {},
): Promise<Runner> {
  await using stack = new AsyncDisposableStack();
  const metrics: RunnerMetrics = createRunnerMetrics(() => pool.counts);
  const answer: PoolOptions['answerBtRequest'] = (...request) => answerBtRequest(btContext, ...request);
  const events = eventsOf(metrics, () => logged);
  const certificates = stack.use(await openGrpcCertificates(config, metrics, logger));
  const prepared = stack.use(await prepareUserCodeFiles(logger));
  const pools = openPools(stack, config, logger, prepared, { ...events, answerBtRequest: answer });
  const { pool } = pools;
  const internal = stack.use(await listenInternally(config, metrics, pool, prepared));
  const upstreams = stack.use(connectUpstreams(config, certificates, metrics.registry, logger));
  const logged: InvocationLogConnection = stack.use(
    connectInvocationLog(config, upstreams, metrics.registry, logger),
  );
  const outgoing = stack.use(connectDeliveries({ config, upstreams, metrics, logger, onAttempt }));
  const { limits, docsUrl } = config;
  const context = {
    ...pools,
    limits,
    docsUrl,
    logger,
    published: upstreams.published,
    ...upstreams.runReports,
    vault: upstreams.vault,
    proxies: new ProxyVersions(upstreams),
    configurations: new ReactorConfigurations(upstreams),
    ...dryConfigurationsOf(upstreams),
    logSealing: upstreams.logSealing,
    ...logged.context,
    ...outgoing.context,
    onLeak: createOnLeak(outgoing.events, upstreams.noteLeak, logger),
  };
  const rates = connectRates(config, metrics.registry, logger);
  stack.defer(() => rates?.[Symbol.dispose]());
  const btContext = { ...context, metrics, rates, tenantBtRequests: new TenantBtRequests(limits) };
  const asynchronous = stack.use(
    connectAsync({
      config,
      context: btContext,
      createPools: (answerBtRequest) => asyncPools(config, logger, prepared, { ...events, answerBtRequest }),
      sealing: upstreams.requestSealing,
      deliveries: outgoing.deliveries,
      onStep,
    }),
  );
  const compileContext = { ...openChecks(stack, config, prepared), limits, logger };
  const tryContext = { ...compileContext, ...context, trials: new TrialCounts() };
  const implementation = implement({ ...context, ...asynchronous.accepting }, compileContext, tryContext);
  await Promise.all([upstreams.published.attempted(), rates?.attempted()]);
  const grpc = stack.use(await serve(config, certificates, implementation, logger));
  logger.info({ grpc_port: grpc.port, metrics_port: internal.port }, 'started');
  const end = endOf(stack.move(), [asynchronous, outgoing], logger);
  return { grpcPort: grpc.port, metricsPort: internal.port, [Symbol.asyncDispose]: end };
}

/** Stand-ins of configurations, kept apart from the configurations themselves. */
function dryConfigurationsOf({ published, sealWatch, standInConfiguration: openConfiguration }: Upstreams) {
  return {
    dryProxies: new ProxyVersions({ published, sealWatch, openConfiguration }),
    dryConfigurations: new ReactorConfigurations({ sealWatch, openConfiguration }),
  };
}

/** What is counted and logged of runs. */
function eventsOf(
  metrics: RunnerMetrics,
  logged: () => InvocationLogConnection,
): Pick<PoolOptions, 'onOutcome' | 'onAgain'> {
  return {
    onOutcome(outcome, seconds, run, log) {
      metrics.observe(outcome, seconds);
      const { invocationLog, outlines } = logged();
      invocationLog.record(run, outcome, seconds, log);
      outlines.record(run, outcome, seconds, log !== undefined);
    },
    onAgain: (cause) => metrics.observeAgain(cause),
  };
}

/** The checks of code that is saved. */
function openChecks(
  stack: AsyncDisposableStack,
  config: RunnerConfig,
  prepared: PreparedFiles,
): { readonly compiler: Compiler; readonly loader: Loader } {
  // The check has wall times of its own.
  const limits = { ...workerLimits(config), cpuMs: config.limits.loadMs };
  const compiler = stack.use(new Compiler(limits));
  const loader = stack.use(
    new Loader({
      limits: { ...limits, ...prepared.files },
      loadMs: config.limits.loadMs,
      waitMs: loadWaitMs,
      isReady: () => prepared.areWhole,
    }),
  );
  prepared.onLibrary((files) => loader.renew(files));
  return { compiler, loader };
}

function endOf(
  owned: AsyncDisposableStack,
  consumers: readonly { stop(): Promise<void> }[],
  logger: Logger,
): () => Promise<void> {
  return async () => {
    logger.info('stopping');
    // Concurrently with the other shutdowns, so that all together take no longer than one.
    for (const consumer of consumers) void consumer.stop();
    await owned.disposeAsync();
  };
}

function implement(
  context: DispatchContext,
  compiling: CompileContext,
  trying: TryContext,
): RunnerServiceServer {
  const reading: ReadInvocationLogContext = { ...context, reads: new ReadCounts() };
  return {
    exchange: serveCalls((frame) => dispatch(context, frame)),
    compile: unary((request: CompileRequest, call) => compile(compiling, request, call)),
    try: unary((request: TryRequest, call) => tryCode(trying, request, call)),
    readInvocationLog: unary((request: ReadInvocationLogRequest, call) =>
      readInvocationLog(reading, request, call),
    ),
  };
}

function listenInternally(
  { metrics: address }: RunnerConfig,
  { registry }: RunnerMetrics,
  pool: WorkerPool,
  prepared: PreparedFiles,
): ReturnType<typeof startInternalServer> {
  return startInternalServer({
    ...address,
    metrics: registry,
    readiness: { workers: () => (pool.isReady ? undefined : 'no worker process is ready') },
    notes: { user_code: () => prepared.note },
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

/** Half of control-api's timeout for the whole check. */
const loadWaitMs = 6000;

function openGrpcCertificates({ grpcTls: tls }: RunnerConfig, { registry }: RunnerMetrics, logger: Logger) {
  return openCertificates({ config: tls, service, logger, metrics: registry });
}
