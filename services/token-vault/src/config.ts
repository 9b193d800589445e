import type { MigrationRoles } from '@glovebox/platform/db/migrate';
import { peerTokens } from '@glovebox/platform/grpc/peer-tokens';
import { grpcTls } from '@glovebox/platform/grpc/tls-settings';
import { integer } from '@glovebox/platform/settings/builders';
import {
  auditRetentionDays,
  databaseDirectUrl,
  databaseUrl,
  grpcListener,
  idempotencyRetention,
  internalAddress,
  logLevel,
  migrationDatabaseUrl,
  purgeInterval,
  redis,
  shutdownTimeout,
  warmUpTime,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';
import { cacheSettings } from '@glovebox/published/cache-settings';
import { publicKeysSetting } from '@glovebox/published/public-keys';
import { waitingEvents } from '@glovebox/published/waiting-events';

import { limitSettings } from './context/limit-settings.ts';
import { currentKeyMaxAgeMs, settleMs } from './crypto/key-ages.ts';
import { keySettings } from './keys/services/key-settings.ts';

const minute = 60_000;

const migrationSettings = {
  databaseUrl: databaseUrl('DATABASE_URL', 'The database `vault`'),
  directUrl: databaseDirectUrl,
  migrationUrl: migrationDatabaseUrl,
};

/** All that an operator's commands need. */
const storeSettings = { ...migrationSettings, keys: keySettings };

export const settings = {
  logLevel,
  shutdownTimeoutMs: shutdownTimeout({ min: 1, max: 50_000 }),
  metrics: internalAddress(9464),
  grpc: grpcListener(50_051),
  grpcTls,
  database: {
    url: migrationSettings.databaseUrl,
    directUrl: migrationSettings.directUrl,
    migrationUrl: migrationSettings.migrationUrl,
    maxConnections: integer('DATABASE_MAX_CONNECTIONS', 'Connections to the database', {
      default: 10,
      min: 1,
      max: 500,
    }),
    statementTimeoutMs: integer(
      'DATABASE_STATEMENT_TIMEOUT_MS',
      'How long one statement of the database may take',
      {
        default: 5000,
        min: 1,
        max: 10 * minute,
      },
    ),
    // A database that takes longer to accept a connection is as good as away.
    connectTimeoutMs: 5000,
  },
  redis,
  // A lost announcement goes unnoticed for half a minute at most: the gateway says which version it has seen.
  publicationKeys: publicKeysSetting,
  publishedCache: cacheSettings({ maxEntries: 10_000, freshMs: 30_000 }),
  keys: keySettings,
  peers: peerTokens,
  limits: limitSettings,
  waitingEvents,
  warmUpMs: warmUpTime,
  // Kept answers are a part of the transaction of their request.
  idempotency: { retentionMs: idempotencyRetention, maxAnswerBytes: 1_048_576 },
  purgeIntervalMs: purgeInterval,
  // How often to look whether rows are to be sealed in format 2. There is nothing to turn: they soon are.
  tagIntervalMs: minute,
  rotation: {
    // How often to look which data keys are due, and to take the rotations of index keys further.
    intervalMs: minute,
    // How long a vault goes without looking which keys are the current ones, and after which all have learnt of a new one.
    heldMs: currentKeyMaxAgeMs,
    settleMs,
    maxAgeDays: integer(
      'DATA_KEY_MAX_AGE_DAYS',
      'The age at which a data key is replaced, and everything sealed anew, in days',
      { default: 365, min: 1, max: 3650 },
    ),
  },
  // Keys of an erased tenant are dropped within a second. After the second time no vault can have written with them: a
  // statement takes 5 s.
  erasure: { intervalMs: 1000, settleMs: 15_000 },
  cvcRetentionMs: integer('CVC_RETENTION_MS', 'How long the security code of a card is kept', {
    default: 60 * minute,
    min: 1,
    max: 24 * 60 * minute,
  }),
  auditRetentionDays,
  auditSealIntervalMs: integer(
    'AUDIT_SEAL_INTERVAL_MS',
    'How often new entries of the audit log are sealed; `audit verify` finds every later change',
    { default: minute, min: 1, max: 60 * minute },
  ),
};

export type VaultConfig = SettingsOf<typeof settings>;
export type StoreConfig = SettingsOf<typeof storeSettings>;

/** @throws ConfigError with every problem at once. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): VaultConfig {
  return readSettings(settings, env);
}

/** @throws ConfigError */
export function readStoreConfig(env: NodeJS.ProcessEnv = process.env): StoreConfig {
  return readSettings(storeSettings, env);
}

/** All that bringing the database up to date needs. @throws ConfigError */
export function readMigrationConfig(env: NodeJS.ProcessEnv = process.env): MigrationRoles {
  return readSettings(migrationSettings, env);
}
