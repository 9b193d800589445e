import { availableParallelism } from 'node:os';

import { type ExpressionLimits, readExpressionLimits } from '@glovebox/expressions/read-expression-limits';
import { type PeerTokens, readPeerTokens } from '@glovebox/platform/grpc/peer-tokens';
import { type GrpcTlsConfig, readGrpcTls } from '@glovebox/platform/grpc/read-tls';
import { readDocsUrl } from '@glovebox/platform/http/read-docs-url';
import { EnvReader } from '@glovebox/platform/settings/env';
import type { Secret } from '@glovebox/platform/values/secret';

import type { DeliveryLimits } from './deliveries/open-deliveries.ts';
import { type EgressConfig, readEgress } from './egress-config.ts';
import type { RequestLimits } from './requests/requests.ts';

export interface RunnerConfig {
  readonly logLevel: string;
  readonly shutdownTimeoutMs: number;
  readonly metrics: { readonly host: string; readonly port: number };
  readonly grpc: { readonly host: string; readonly port: number; readonly reflection: boolean };
  /** Absent: calls are taken and made in plain. */
  readonly grpcTls?: GrpcTlsConfig | undefined;
  readonly redis: { readonly url: Secret<string>; readonly prefix: string };
  /** How long published records serve; see @glovebox/published/record-cache. */
  readonly registry: { readonly maxEntries: number; readonly freshMs: number; readonly maxStaleMs: number };
  readonly vault: { readonly address: string; readonly timeoutMs: number; readonly maxOpenCalls: number };
  readonly serviceToken: Secret<string>;
  /** Where errors are explained. */
  readonly docsUrl: string;
  readonly egress: EgressConfig;
  readonly peers: PeerTokens;
  /** What is kept of the runs that failed or logged. */
  readonly journal: { readonly perOwner: number; readonly retentionMs: number };
  /** Processes that run tenants' code at once; one more is kept ready. */
  readonly workers: number;
  readonly limits: Limits;
  /** Of calls by `bt` with an API key, in one window; 0: any number. */
  readonly rateLimits: { readonly windowMs: number; readonly perKey: number; readonly perTenant: number };
  readonly async: AsyncConfig;
  readonly deliveries: DeliveriesConfig;
}

/** Of events to webhooks, and of results to callbacks. */
export interface DeliveriesConfig {
  /** That this runner has under way. */
  readonly atOnce: number;
  readonly atOncePerEndpoint: number;
  /** For the whole answer. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** After the first attempt; each further pause is twice as long. */
  readonly firstPauseMs: number;
  readonly limits: DeliveryLimits;
}

/** Of asynchronous invocations. */
export interface AsyncConfig {
  /** Processes for their code, beside those of what somebody waits for; one more is kept ready once there is any. */
  readonly workers: number;
  /** Wall time of one run. */
  readonly wallMs: number;
  /** That this runner has under way. */
  readonly atOnce: number;
  readonly atOncePerTenant: number;
  /** A runner that has said nothing for this long is taken for dead. */
  readonly lockMs: number;
  readonly limits: RequestLimits;
}

export interface Limits {
  /** Wall time of one run of user code. */
  readonly wallMs: number;
  /** Of what a module does as it is loaded to see whether it can be stored. */
  readonly loadMs: number;
  /** V8 heap and buffers of one isolate. */
  readonly isolateMemoryMb: number;
  /** All of one worker process. */
  readonly workerMemoryMb: number;
  /** UTF-16 code units. */
  readonly codeLength: number;
  /** JSON text of the argument. */
  readonly argumentBytes: number;
  /** JSON text of the result, UTF-16 code units. */
  readonly resultLength: number;
  /** Runs in one worker that wait for something, e.g. a timer. */
  readonly suspendedPerWorker: number;
  readonly runsPerIsolate: number;
  /** Runs of one tenant that go on or wait for a worker. */
  readonly callsPerTenant: number;
  /** Arguments that wait for a worker, of all tenants together. */
  readonly queuedBytes: number;
  /** Of what one run logs, UTF-16 code units. */
  readonly logLength: number;
  readonly logLines: number;
  /** Calls by `bt` that one run has under way. */
  readonly asksAtOnce: number;
  readonly asksPerCall: number;
  /** Of one call by `bt`, and of its answer. */
  readonly askBytes: number;
  /** Calls by `bt` that one tenant's code has under way, and their bytes together. */
  readonly asksPerTenant: number;
  readonly askedBytesPerTenant: number;
  /** Reactors that invoke each other, one within the other. */
  readonly reactDepth: number;
  readonly expressions: ExpressionLimits;
}

const mebibyte = 1024 * 1024;

/** @throws ConfigError with every problem at once. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  cores = availableParallelism(),
): RunnerConfig {
  const reader = new EnvReader(env);
  const production =
    reader.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production';
  const count = (name: string, fallback: number, min: number, max: number) =>
    reader.integer(name, { default: fallback, min, max });
  return reader.done<RunnerConfig>({
    logLevel: reader.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    shutdownTimeoutMs: count('SHUTDOWN_TIMEOUT_MS', 10_000, 1, 50_000),
    metrics: { host: reader.string('METRICS_HOST', '127.0.0.1'), port: reader.port('METRICS_PORT', 9465) },
    grpc: {
      host: reader.string('GRPC_HOST', '127.0.0.1'),
      port: reader.port('GRPC_PORT', 50_052),
      reflection: reader.boolean('GRPC_REFLECTION', !production),
    },
    grpcTls: readGrpcTls(reader),
    redis: {
      url: reader.url('REDIS_URL', ['redis', 'rediss']),
      prefix: reader.string('REDIS_PREFIX', 'glovebox'),
    },
    registry: {
      maxEntries: count('REGISTRY_MAX_ENTRIES', 20_000, 10, 10_000_000),
      freshMs: count('REGISTRY_FRESH_MS', 10_000, 10, 3_600_000),
      maxStaleMs: count('REGISTRY_MAX_STALE_MS', 900_000, 0, 86_400_000),
    },
    vault: {
      address: reader.address('VAULT_ADDRESS'),
      timeoutMs: count('VAULT_TIMEOUT_MS', 5000, 10, 60_000),
      maxOpenCalls: count('MAX_CALLS_IN_FLIGHT', 10_000, 1, 1_000_000),
    },
    serviceToken: reader.secret('SERVICE_TOKEN'),
    docsUrl: readDocsUrl(reader),
    egress: readEgress(reader),
    peers: readPeerTokens(reader, 'PEERS'),
    journal: {
      perOwner: count('MAX_LOGGED_INVOCATIONS', 100, 1, 100),
      retentionMs: count('LOG_RETENTION_MS', 86_400_000, 1000, 2_592_000_000),
    },
    workers: count('WORKERS', cores, 1, 256),
    rateLimits: {
      windowMs: count('RATE_LIMIT_WINDOW_MS', 10_000, 1000, 3_600_000),
      perKey: count('RATE_LIMIT_PER_KEY', 0, 0, 1_000_000_000),
      perTenant: count('RATE_LIMIT_PER_TENANT', 0, 0, 1_000_000_000),
    },
    async: readAsync(count),
    deliveries: readDeliveries(count),
    limits: readLimits(reader, count),
  });
}

/** Reads a whole number: its name, what it is when it is not set, the least and the most. */
type Count = (name: string, fallback: number, min: number, max: number) => number;

function readLimits(reader: EnvReader, count: Count): Limits {
  return {
    wallMs: count('MAX_RUN_MS', 30_000, 10, 600_000),
    loadMs: count('MAX_LOAD_MS', 2000, 10, 5000),
    isolateMemoryMb: count('ISOLATE_MEMORY_MB', 128, 8, 2048),
    workerMemoryMb: count('WORKER_MEMORY_MB', 512, 128, 16_384),
    codeLength: count('MAX_CODE_LENGTH', 50_000, 1, 1_000_000),
    argumentBytes: count('MAX_ARGUMENT_BYTES', 2 * mebibyte, 1, 7 * mebibyte),
    resultLength: count('MAX_RESULT_LENGTH', 2 * mebibyte, 1, 7 * mebibyte),
    suspendedPerWorker: count('MAX_SUSPENDED_PER_WORKER', 32, 1, 1000),
    runsPerIsolate: count('MAX_RUNS_PER_ISOLATE', 50_000, 1, 1_000_000_000),
    callsPerTenant: count('MAX_CALLS_PER_TENANT', 1000, 1, 100_000),
    queuedBytes: count('MAX_QUEUED_BYTES', 64 * mebibyte, mebibyte, 4096 * mebibyte),
    logLength: count('MAX_LOG_LENGTH', 32 * 1024, 0, mebibyte),
    logLines: count('MAX_LOG_LINES', 1000, 1, 10_000),
    asksAtOnce: count('MAX_BT_CALLS_AT_ONCE', 32, 1, 1000),
    asksPerCall: count('MAX_BT_CALLS_PER_RUN', 1000, 1, 100_000),
    askBytes: count('MAX_BT_CALL_BYTES', 2 * mebibyte, 1024, 7 * mebibyte),
    asksPerTenant: count('MAX_BT_CALLS_PER_TENANT', 512, 1, 100_000),
    askedBytesPerTenant: count('MAX_BT_BYTES_PER_TENANT', 8 * mebibyte, 1024, 1024 * mebibyte),
    reactDepth: count('MAX_REACTOR_DEPTH', 3, 1, 10),
    expressions: readExpressionLimits(reader),
  };
}

function readAsync(count: Count): AsyncConfig {
  return {
    workers: count('ASYNC_WORKERS', 2, 1, 16),
    wallMs: count('MAX_ASYNC_RUN_MS', 300_000, 10, 3_600_000),
    atOnce: count('MAX_ASYNC_RUNS', 32, 1, 1000),
    atOncePerTenant: count('MAX_ASYNC_RUNS_PER_TENANT', 8, 1, 1000),
    lockMs: count('ASYNC_LOCK_MS', 15_000, 200, 600_000),
    limits: {
      open: count('MAX_ASYNC_OPEN', 10_000, 1, 1_000_000),
      openPerTenant: count('MAX_ASYNC_OPEN_PER_TENANT', 1000, 1, 1_000_000),
      keptBytesPerTenant: count('MAX_ASYNC_KEPT_BYTES', 256 * mebibyte, 1024, 65_536 * mebibyte),
      lifeMs: count('ASYNC_RESULT_TTL_MS', 86_400_000, 1000, 2_592_000_000),
    },
  };
}

/** Ten further attempts after the first take some two and a half hours. */
function readDeliveries(count: Count): DeliveriesConfig {
  return {
    atOnce: count('MAX_DELIVERIES', 64, 1, 10_000),
    atOncePerEndpoint: count('MAX_DELIVERIES_PER_ENDPOINT', 4, 1, 1000),
    timeoutMs: count('DELIVERY_TIMEOUT_MS', 10_000, 10, 60_000),
    attempts: count('DELIVERY_ATTEMPTS', 11, 1, 20),
    firstPauseMs: count('DELIVERY_PAUSE_MS', 9000, 1, 3_600_000),
    limits: {
      open: count('MAX_DELIVERIES_OPEN', 20_000, 1, 10_000_000),
      openPerEndpoint: count('MAX_DELIVERIES_OPEN_PER_ENDPOINT', 1000, 1, 1_000_000),
    },
  };
}
