import { type PeerTokens, readPeerTokens } from '@glovebox/platform/grpc/peer-tokens';
import { type GrpcTlsConfig, readGrpcTls } from '@glovebox/platform/grpc/read-tls';
import { EnvReader } from '@glovebox/platform/settings/env';
import type { Secret } from '@glovebox/platform/values/secret';
import { readWaitingEvents } from '@glovebox/published/read-waiting-events';

import { type Limits, readLimits } from './context/read-limits.ts';
import { type KeysConfig, readKeysConfig } from './keys/services/read-keys-config.ts';

export interface VaultConfig {
  readonly logLevel: string;
  readonly shutdownTimeoutMs: number;
  readonly metrics: { readonly host: string; readonly port: number };
  readonly grpc: { readonly host: string; readonly port: number; readonly reflection: boolean };
  /** Absent: calls are taken in plain. */
  readonly grpcTls?: GrpcTlsConfig | undefined;
  readonly database: {
    readonly url: Secret<string>;
    readonly maxConnections: number;
    readonly statementTimeoutMs: number;
    readonly connectTimeoutMs: number;
  };
  readonly redis: { readonly url: Secret<string>; readonly prefix: string };
  /** How long published records serve; see @glovebox/published/record-cache. */
  readonly registry: { readonly maxEntries: number; readonly freshMs: number; readonly maxStaleMs: number };
  readonly keys: KeysConfig;
  readonly peers: PeerTokens;
  readonly limits: Limits;
  /** Of all tenants together, until they are on their way to webhooks. */
  readonly waitingEvents: number;
  readonly idempotency: {
    /** How long the answer to a write with an idempotency key is given again. */
    readonly retentionMs: number;
    readonly maxAnswerBytes: number;
  };
  /** What has expired is gone for everyone at once; it is removed from the database this often. */
  readonly purgeIntervalMs: number;
  /** How long the security code of a card is kept. */
  readonly cvcRetentionMs: number;
  /** How long the audit log is kept; 0: for ever. */
  readonly auditRetentionDays: number;
  /** How often what was added to the audit log is sealed. */
  readonly auditSealIntervalMs: number;
}

const minute = 60_000;
const mebibyte = 1024 * 1024;

/** @throws ConfigError with every problem at once. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): VaultConfig {
  const reader = new EnvReader(env);
  const production =
    reader.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production';
  const count = (name: string, fallback: number, max: number) =>
    reader.integer(name, { default: fallback, min: 1, max });
  return reader.done<VaultConfig>({
    logLevel: reader.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    shutdownTimeoutMs: count('SHUTDOWN_TIMEOUT_MS', 10_000, 50_000),
    metrics: { host: reader.string('METRICS_HOST', '127.0.0.1'), port: reader.port('METRICS_PORT', 9464) },
    grpc: {
      host: reader.string('GRPC_HOST', '127.0.0.1'),
      port: reader.port('GRPC_PORT', 50_051),
      reflection: reader.boolean('GRPC_REFLECTION', !production),
    },
    grpcTls: readGrpcTls(reader),
    database: {
      url: reader.url('DATABASE_URL', ['postgres', 'postgresql']),
      maxConnections: count('DATABASE_MAX_CONNECTIONS', 10, 500),
      statementTimeoutMs: count('DATABASE_STATEMENT_TIMEOUT_MS', 5000, 10 * minute),
      connectTimeoutMs: count('DATABASE_CONNECT_TIMEOUT_MS', 5000, minute),
    },
    redis: {
      url: reader.url('REDIS_URL', ['redis', 'rediss']),
      prefix: reader.string('REDIS_PREFIX', 'glovebox'),
    },
    registry: {
      maxEntries: count('REGISTRY_MAX_ENTRIES', 10_000, 10_000_000),
      freshMs: count('REGISTRY_FRESH_MS', 30_000, 60 * minute),
      maxStaleMs: count('REGISTRY_MAX_STALE_MS', 15 * minute, 24 * 60 * minute),
    },
    keys: readKeysConfig(reader),
    peers: readPeerTokens(reader, 'PEERS'),
    limits: readLimits(reader),
    waitingEvents: readWaitingEvents(reader),
    idempotency: {
      retentionMs: count('IDEMPOTENCY_RETENTION_MS', 24 * 60 * minute, 7 * 24 * 60 * minute),
      maxAnswerBytes: count('IDEMPOTENCY_MAX_ANSWER_BYTES', mebibyte, mebibyte),
    },
    purgeIntervalMs: count('PURGE_INTERVAL_MS', 5 * minute, 60 * minute),
    cvcRetentionMs: count('CVC_RETENTION_MS', 60 * minute, 24 * 60 * minute),
    auditRetentionDays: reader.integer('AUDIT_RETENTION_DAYS', { default: 0, min: 0, max: 36_500 }),
    auditSealIntervalMs: count('AUDIT_SEAL_INTERVAL_MS', minute, 60 * minute),
  });
}

/** All that an operator's commands need. */
export interface StoreConfig {
  readonly databaseUrl: Secret<string>;
  readonly keys: KeysConfig;
}

/** @throws ConfigError */
export function readStoreConfig(env: NodeJS.ProcessEnv = process.env): StoreConfig {
  const reader = new EnvReader(env);
  return reader.done({
    databaseUrl: reader.url('DATABASE_URL', ['postgres', 'postgresql']),
    keys: readKeysConfig(reader),
  });
}

/** All that bringing the database up to date needs. @throws ConfigError */
export function readMigrationConfig(env: NodeJS.ProcessEnv = process.env): Secret<string> {
  const reader = new EnvReader(env);
  const url = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
  reader.done({});
  return url;
}
