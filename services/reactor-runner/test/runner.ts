import { defaultLimits } from '@glovebox/expressions/limits';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { Secret } from '@glovebox/platform/values/secret';

import { testPublication } from '../../../test/harness/test-publication.ts';
import type { OnAttemptStep } from '../src/async/perform-job.ts';
import type { RunnerConfig } from '../src/config.ts';
import { type RunnerHooks, startRunner } from '../src/runner.ts';
import { type Connection, connect, peers } from './connection.ts';
import { workersOf } from './processes.ts';
import { until } from './until.ts';

export interface TestRunner extends Connection {
  readonly grpcPort: number;
  readonly metricsPort: number;
  /** What it has logged. */
  readonly log: string[];
  workers(): number[];
}

interface Settings {
  readonly workers?: number;
  readonly limits?: Partial<RunnerConfig['limits']>;
  readonly egress?: Partial<RunnerConfig['egress']>;
  readonly redis?: RunnerConfig['redis'];
  readonly invocationLog?: RunnerConfig['invocationLog'];
  readonly vaultAddress?: string;
  readonly async?: Partial<RunnerConfig['async']>;
  readonly shutdownTimeoutMs?: number;
  readonly deliveries?: Partial<RunnerConfig['deliveries']>;
  readonly onStep?: OnAttemptStep;
  readonly onAttempt?: RunnerHooks['onAttempt'];
}

/** A runner in this process on free ports, with its real worker processes, and a connection to it. */
export async function startTestRunner({
  workers = 2,
  limits = {},
  egress = {},
  redis = config.redis,
  invocationLog = config.invocationLog,
  vaultAddress = config.vault.address,
  async = {},
  deliveries = {},
  shutdownTimeoutMs = config.shutdownTimeoutMs,
  onStep,
  onAttempt,
}: Settings = {}): Promise<TestRunner> {
  const log: string[] = [];
  const logger = createLogger({
    service: 'reactor-runner',
    level: 'debug',
    destination: { write: (line) => log.push(line) },
  });
  const changed = {
    workers,
    redis,
    invocationLog,
    vault: { ...config.vault, address: vaultAddress },
    async: { ...config.async, ...async },
    deliveries: { ...config.deliveries, ...deliveries },
    shutdownTimeoutMs,
    limits: { ...config.limits, ...limits },
    egress: { ...config.egress, ...egress },
  };
  const runner = await startRunner({ ...config, ...changed }, logger, { onStep, onAttempt });
  const connection = connect(runner.grpcPort);
  const stop = async () => {
    await connection[Symbol.asyncDispose]();
    await runner[Symbol.asyncDispose]();
  };
  try {
    await until('a worker is ready', async () => {
      const response = await fetch(`http://127.0.0.1:${runner.metricsPort}/readyz`);
      return response.status === 200;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...connection,
    log,
    grpcPort: runner.grpcPort,
    metricsPort: runner.metricsPort,
    workers: () => workersOf(process.pid),
    [Symbol.asyncDispose]: stop,
  };
}

/** Far beyond what anything takes on a busy machine: a test that waits for the end of a limit sets its own. */
const config: RunnerConfig = {
  logLevel: 'debug',
  shutdownTimeoutMs: 5000,
  metrics: { host: '127.0.0.1', port: 0 },
  grpc: { host: '127.0.0.1', port: 0, reflection: true },
  redis: { url: new Secret('redis://127.0.0.1:1'), prefix: 'test', isCluster: false, waitReplicas: 0 },
  grpcTls: undefined,
  publicationKeys: testPublication.publicKeys,
  publishedCache: { maxEntries: 10, freshMs: 10_000, snapshotFolder: undefined, maxStaleMs: 900_000 },
  rateLimits: { windowMs: 10_000, perKey: 0, perTenant: 0 },
  vault: { address: '127.0.0.1:1', timeoutMs: 10_000, maxOpenCalls: 1000 },
  serviceToken: new Secret('token-of-the-runner'),
  docsUrl: 'http://localhost/docs',
  egress: {
    profile: 'development',
    allowCidrs: [],
    allowHosts: [],
    urlLength: 400,
    denied: [],
    caFile: undefined,
    connectTimeoutMs: 5000,
    connectionsAtOnce: 4,
    connections: 32,
    receivedBytes: 4_000_000,
    sentBytes: 4_000_000,
  },
  peers,
  invocationLog: { perOwner: 100, retentionMs: 60_000 },
  workers: 2,
  async: {
    workers: 2,
    wallMs: 10_000,
    atOnce: 8,
    atOncePerTenant: 4,
    lockMs: 5000,
    limits: { open: 1000, openPerTenant: 100, keptBytesPerTenant: 10_000_000, lifeMs: 60_000 },
  },
  deliveries: {
    atOnce: 16,
    atOncePerEndpoint: 4,
    timeoutMs: 10_000,
    attempts: 4,
    firstPauseMs: 20,
    limits: { open: 1000, openPerEndpoint: 100 },
  },
  limits: {
    loadMs: 10_000,
    wallMs: 10_000,
    cpuMs: 2000,
    isolateMemoryMb: 64,
    workerMemoryMb: 400,
    codeLength: 50_000,
    argumentBytes: 1_000_000,
    resultLength: 1_000_000,
    suspendedPerWorker: 32,
    runsPerIsolate: 50_000,
    callsPerTenant: 1000,
    queuedBytes: 64_000_000,
    logLength: 10_000,
    logLines: 1000,
    btRequestsAtOnce: 32,
    btRequestsPerCall: 1000,
    btRequestBytes: 2_000_000,
    btRequestsPerTenant: 512,
    btRequestBytesPerTenant: 8_000_000,
    reactDepth: 3,
    expressions: defaultLimits,
  },
};
