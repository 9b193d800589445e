import type { EgressProfile } from '@glovebox/egress/egress-policy';
import { readAllowedHosts } from '@glovebox/egress/read-allowed';
import { readUrlLength } from '@glovebox/egress/read-url-length';
import { type GrpcTlsConfig, readGrpcTls } from '@glovebox/platform/grpc/read-tls';
import { readDocsUrl } from '@glovebox/platform/http/read-docs-url';
import { EnvReader } from '@glovebox/platform/settings/env';
import type { Secret } from '@glovebox/platform/values/secret';
import { readWaitingEvents } from '@glovebox/published/read-waiting-events';

import type { ExpiringLimits } from './limits/expiring-limits.ts';
import type { InputLimits } from './limits/input-limits.ts';
import { readInputLimits } from './read-limits.ts';

/** Where the published state comes from and goes to; all that the command line needs. */
export interface StoreConfig {
  readonly logLevel: string;
  readonly databaseUrl: Secret<string>;
  readonly redisUrl: Secret<string>;
  readonly redisPrefix: string;
  /** Of all tenants together, until they are on their way to webhooks. */
  readonly waitingEvents: number;
  readonly inputLimits: InputLimits;
}

export interface ControlConfig extends StoreConfig {
  readonly httpHost: string;
  /** 0 takes a free one, as with `metricsPort`. */
  readonly httpPort: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** How long it goes on as before when it is told to stop. */
  readonly drainDelayMs: number;
  readonly shutdownTimeoutMs: number;
  /** What this service proves itself with to others. */
  readonly serviceToken: Secret<string>;
  readonly vaultAddress: string;
  readonly runnerAddress: string;
  /** Absent: calls to other services are made in plain. */
  readonly grpcTls?: GrpcTlsConfig | undefined;
  readonly egressProfile: EgressProfile;
  /** Names that cannot be public, and are destinations nevertheless. */
  readonly egressAllowHosts: readonly string[];
  /** Of a destination or a webhook, in characters. */
  readonly urlLength: number;
  readonly expiring: ExpiringLimits;
  /** Requests in one window; 0: any number. */
  readonly rateLimits: { readonly windowMs: number; readonly perKey: number; readonly perTenant: number };
  readonly idempotency: {
    /** How long the answer to a request with an idempotency key is given again. */
    readonly retentionMs: number;
    readonly maxAnswerBytes: number;
  };
  readonly logRetention: Retention;
  /** Headers whose names start with `BT-` count as well as the service's own. */
  readonly aliases: boolean;
  /** Where errors are explained. */
  readonly docsUrl: string;
}

/** How long what was changed is logged. */
export interface Retention {
  /** 0: for ever. */
  readonly days: number;
  /** Between two looks at what is too old. */
  readonly intervalMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const day = 86_400_000;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** @throws ConfigError naming every problem. */
export function readControlConfig(environment: Environment = process.env): ControlConfig {
  const env = new EnvReader(environment);
  return env.done({
    ...readStore(env),
    httpHost: env.string('HTTP_HOST', '127.0.0.1'),
    httpPort: env.port('HTTP_PORT'),
    metricsHost: env.string('METRICS_HOST', '127.0.0.1'),
    metricsPort: env.port('METRICS_PORT', 9080),
    drainDelayMs: env.integer('DRAIN_DELAY_MS', { default: 0, min: 0, max: 300_000 }),
    shutdownTimeoutMs: env.integer('SHUTDOWN_TIMEOUT_MS', { default: 10_000, min: 100, max: 300_000 }),
    serviceToken: env.secret('SERVICE_TOKEN'),
    vaultAddress: env.address('VAULT_ADDRESS'),
    runnerAddress: env.address('RUNNER_ADDRESS'),
    grpcTls: readGrpcTls(env),
    egressProfile: env.oneOf('EGRESS_PROFILE', ['strict', 'development'], 'strict'),
    egressAllowHosts: readAllowedHosts(env),
    urlLength: readUrlLength(env),
    expiring: {
      perCreator: env.integer('MAX_EXPIRING_APPLICATIONS', { default: 10_000, min: 0, max: 1_000_000 }),
      rulesLength: env.integer('MAX_EXPIRING_RULES_LENGTH', { default: 16_384, min: 1, max: 1_000_000 }),
    },
    rateLimits: {
      windowMs: env.integer('RATE_LIMIT_WINDOW_MS', { default: 10_000, min: 1000, max: 3_600_000 }),
      perKey: env.integer('RATE_LIMIT_PER_KEY', { default: 0, min: 0, max: 1_000_000_000 }),
      perTenant: env.integer('RATE_LIMIT_PER_TENANT', { default: 0, min: 0, max: 1_000_000_000 }),
    },
    idempotency: {
      retentionMs: env.integer('IDEMPOTENCY_RETENTION_MS', { default: day, min: 1000, max: 7 * day }),
      maxAnswerBytes: env.integer('IDEMPOTENCY_MAX_ANSWER_BYTES', {
        default: 1_048_576,
        min: 1024,
        max: 1_048_576,
      }),
    },
    logRetention: {
      days: env.integer('AUDIT_RETENTION_DAYS', { default: 0, min: 0, max: 36_500 }),
      intervalMs: env.integer('PURGE_INTERVAL_MS', { default: 300_000, min: 1, max: 3_600_000 }),
    },
    docsUrl: readDocsUrl(env),
    aliases: env.boolean('BT_ALIASES', true),
  });
}

/** @throws ConfigError naming every problem. */
export function readStoreConfig(environment: Environment = process.env): StoreConfig {
  const env = new EnvReader(environment);
  return env.done(readStore(env));
}

/** All that bringing the database up to date needs. @throws ConfigError */
export function readMigrationConfig(environment: Environment = process.env): Secret<string> {
  const env = new EnvReader(environment);
  const url = env.url('DATABASE_URL', ['postgres', 'postgresql']);
  env.done({});
  return url;
}

function readStore(env: EnvReader): StoreConfig {
  const redisPrefix = env.string('REDIS_PREFIX', 'glovebox');
  // The characters that a pattern of Redis gives a meaning to must not be in it.
  if (!/^[A-Za-z0-9:_-]{1,64}$/.test(redisPrefix)) {
    env.problem('REDIS_PREFIX must be 1 to 64 letters, digits, :, _ or -');
  }
  return {
    logLevel: env.oneOf('LOG_LEVEL', logLevels, 'info'),
    databaseUrl: env.url('DATABASE_URL', ['postgres', 'postgresql']),
    redisUrl: env.url('REDIS_URL', ['redis', 'rediss']),
    redisPrefix,
    waitingEvents: readWaitingEvents(env),
    inputLimits: readInputLimits(env),
  };
}
