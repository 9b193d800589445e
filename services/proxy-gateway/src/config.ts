import type { ListenerAddress } from '@glovebox/egress/own-listeners';
import { readAllowed } from '@glovebox/egress/read-allowed';
import { readDeniedPorts } from '@glovebox/egress/read-denied-ports';
import { readUrlLength } from '@glovebox/egress/read-url-length';
import { readExpressionLimits } from '@glovebox/expressions/read-expression-limits';
import { type GrpcTlsConfig, readGrpcTls } from '@glovebox/platform/grpc/read-tls';
import { readDocsUrl } from '@glovebox/platform/http/read-docs-url';
import { EnvReader } from '@glovebox/platform/settings/env';
import type { Secret } from '@glovebox/platform/values/secret';
import { readWaitingEvents } from '@glovebox/published/read-waiting-events';

import type { Bounds } from './bounds.ts';
import type { AllowedOrigins } from './http/cross-origin.ts';
import { readAllowedOrigins } from './read-allowed-origins.ts';

export interface GatewayConfig {
  readonly logLevel: string;
  readonly http: { readonly host: string; readonly port: number };
  readonly internal: { readonly host: string; readonly port: number };
  readonly redis: { readonly url: Secret<string>; readonly prefix: string };
  readonly vaultAddress: string;
  readonly runnerAddress: string;
  /** Absent: calls to other services are made in plain. */
  readonly grpcTls?: GrpcTlsConfig | undefined;
  readonly serviceToken: Secret<string>;
  readonly egress: {
    readonly profile: 'strict' | 'development';
    readonly allowCidrs: readonly string[];
    readonly allowHosts: readonly string[];
    readonly urlLength: number;
    /** Listeners on this machine that are no destination, besides those of this process. */
    readonly denied: readonly ListenerAddress[];
    readonly destinationTimeoutMs: number;
    readonly maxConnectionsPerOrigin: number;
  };
  readonly limits: {
    /** Of the request line and all headers of one request. */
    readonly maxHeaderBytes: number;
    readonly maxSearchedBytes: number;
    readonly maxFilledBytes: number;
    /** Of what is held of bodies at once. */
    readonly maxHeldBytes: number;
    readonly maxTokenBodyBytes: number;
    /** Of a body that a transform takes or makes. */
    readonly maxTransformedBytes: number;
    /** Of a request to a reactor. */
    readonly maxReactBytes: number;
    readonly vaultTimeoutMs: number;
    /** Longer than the runner lets code run, so that it is the runner that says why there is no result. */
    readonly runnerTimeoutMs: number;
    readonly maxCallsInFlight: number;
    readonly bounds: Bounds;
  };
  /** Of all tenants together, until they are on their way to webhooks. */
  readonly waitingEvents: number;
  readonly registry: { readonly maxEntries: number; readonly freshMs: number; readonly maxStaleMs: number };
  /** The names that start with `BT-` count as well as the service's own. */
  readonly aliases: boolean;
  /** Where errors are explained. */
  readonly docsUrl: string;
  /** Of pages that may call from a browser. */
  readonly origins: AllowedOrigins;
  /** Answers say in Server-Timing how long each stage took. */
  readonly tellsTiming: boolean;
  /** Callers may name a destination themselves, unless their tenant forbids it. */
  readonly ephemeralProxies: boolean;
  readonly idempotency: {
    /** How long the answer to an invocation with an idempotency key is given again. */
    readonly retentionMs: number;
    readonly maxAnswerBytes: number;
  };
  /** Requests in one window; 0: any number. */
  readonly rateLimits: {
    readonly windowMs: number;
    readonly perKey: number;
    readonly perTenant: number;
    /** Of one address to one proxy, without an API key. */
    readonly perAnonymous: number;
    /** Proxies of our own that a request passes on its way here. */
    readonly trustedHops: number;
  };
  /** How long it goes on as before when it is told to stop. */
  readonly drainDelayMs: number;
  readonly shutdownTimeoutMs: number;
}

/** @throws ConfigError naming every problem. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const read = new EnvReader(env);
  return read.done<GatewayConfig>({
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    http: { host: read.string('HTTP_HOST', '0.0.0.0'), port: read.port('HTTP_PORT', 8081) },
    internal: { host: read.string('METRICS_HOST', '127.0.0.1'), port: read.port('METRICS_PORT', 9081) },
    redis: {
      url: read.url('REDIS_URL', ['redis', 'rediss']),
      prefix: read.string('REDIS_PREFIX', 'glovebox'),
    },
    vaultAddress: read.address('VAULT_ADDRESS'),
    runnerAddress: read.address('RUNNER_ADDRESS'),
    grpcTls: readGrpcTls(read),
    serviceToken: read.secret('SERVICE_TOKEN'),
    egress: {
      profile: read.oneOf('EGRESS_PROFILE', ['strict', 'development'], 'strict'),
      ...readAllowed(read),
      urlLength: readUrlLength(read),
      denied: readDeniedPorts(read),
      destinationTimeoutMs: read.integer('DESTINATION_TIMEOUT_MS', {
        default: 25_000,
        min: 100,
        max: 300_000,
      }),
      maxConnectionsPerOrigin: read.integer('DESTINATION_MAX_CONNECTIONS', {
        default: 256,
        min: 1,
        max: 10_000,
      }),
    },
    limits: readLimits(read),
    waitingEvents: readWaitingEvents(read),
    registry: {
      maxEntries: read.integer('REGISTRY_MAX_ENTRIES', { default: 20_000, min: 10, max: 10_000_000 }),
      freshMs: read.integer('REGISTRY_FRESH_MS', { default: 10_000, min: 10, max: 3_600_000 }),
      maxStaleMs: read.integer('REGISTRY_MAX_STALE_MS', { default: 900_000, min: 0, max: 86_400_000 }),
    },
    docsUrl: readDocsUrl(read),
    aliases: read.boolean('BT_ALIASES', true),
    origins: readAllowedOrigins(read, 'ALLOWED_ORIGINS'),
    tellsTiming: read.boolean('SERVER_TIMING', true),
    ephemeralProxies: read.boolean('EPHEMERAL_PROXIES', true),
    idempotency: {
      retentionMs: read.integer('IDEMPOTENCY_RETENTION_MS', {
        default: 86_400_000,
        min: 1000,
        max: 604_800_000,
      }),
      maxAnswerBytes: read.integer('IDEMPOTENCY_MAX_ANSWER_BYTES', {
        default: 262_144,
        min: 1024,
        max: 1_000_000,
      }),
    },
    rateLimits: readRateLimits(read),
    ...readStop(read),
  });
}

function readStop(read: EnvReader): Pick<GatewayConfig, 'drainDelayMs' | 'shutdownTimeoutMs'> {
  return {
    drainDelayMs: read.integer('DRAIN_DELAY_MS', { default: 0, min: 0, max: 300_000 }),
    shutdownTimeoutMs: read.integer('SHUTDOWN_TIMEOUT_MS', { default: 10_000, min: 100, max: 600_000 }),
  };
}

function readRateLimits(read: EnvReader): GatewayConfig['rateLimits'] {
  return {
    windowMs: read.integer('RATE_LIMIT_WINDOW_MS', { default: 10_000, min: 1000, max: 3_600_000 }),
    perKey: read.integer('RATE_LIMIT_PER_KEY', { default: 0, min: 0, max: 1_000_000_000 }),
    perTenant: read.integer('RATE_LIMIT_PER_TENANT', { default: 0, min: 0, max: 1_000_000_000 }),
    perAnonymous: read.integer('RATE_LIMIT_PER_ANONYMOUS', { default: 0, min: 0, max: 1_000_000_000 }),
    trustedHops: read.integer('TRUSTED_HOPS', { default: 0, min: 0, max: 10 }),
  };
}

function readLimits(read: EnvReader): GatewayConfig['limits'] {
  const limits = readEachLimit(read);
  const { maxSearchedBytes, maxFilledBytes, maxHeldBytes } = limits;
  // One tenant has half of it, and a request may hold a body both as it came and filled.
  if (maxHeldBytes / 2 < maxSearchedBytes + maxFilledBytes)
    read.problem('MAX_HELD_BYTES must be at least twice as much as MAX_SEARCHED_BYTES and MAX_FILLED_BYTES');
  return limits;
}

function readEachLimit(read: EnvReader): GatewayConfig['limits'] {
  const limit = (name: string, fallback: number, min: number, max: number) =>
    read.integer(name, { default: fallback, min, max });
  const maxHeaderBytes = limit('MAX_HEADER_BYTES', 32_768, 4096, 1_048_576);
  return {
    maxSearchedBytes: limit('MAX_SEARCHED_BYTES', 10_485_760, 1024, 104_857_600),
    maxFilledBytes: limit('MAX_FILLED_BYTES', 33_554_432, 1024, 268_435_456),
    maxHeldBytes: limit('MAX_HELD_BYTES', 268_435_456, 4096, 8_589_934_592),
    maxHeaderBytes,
    maxTokenBodyBytes: limit('MAX_TOKEN_BODY_BYTES', 2_097_152, 1024, 8_388_608),
    maxTransformedBytes: limit('MAX_TRANSFORMED_BYTES', 1_048_576, 1024, 4_194_304),
    maxReactBytes: limit('MAX_REACT_BODY_BYTES', 1_048_576, 1024, 4_194_304),
    vaultTimeoutMs: limit('VAULT_TIMEOUT_MS', 5000, 10, 60_000),
    runnerTimeoutMs: limit('RUNNER_TIMEOUT_MS', 35_000, 10, 660_000),
    maxCallsInFlight: limit('MAX_CALLS_IN_FLIGHT', 10_000, 1, 1_000_000),
    bounds: {
      expressions: readExpressionLimits(read),
      headerBytes: maxHeaderBytes,
      decodedRatio: limit('MAX_DECODED_RATIO', 100, 1, 10_000),
      pageSize: limit('MAX_PAGE_SIZE', 100, 1, 1000),
    },
  };
}
