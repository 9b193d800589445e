import { egressAllowHosts, egressProfile, urlLength } from '@glovebox/egress/egress-settings';
import type { MigrationRoles } from '@glovebox/platform/db/migrate';
import { grpcTls } from '@glovebox/platform/grpc/tls-settings';
import { port, string } from '@glovebox/platform/settings/builders';
import {
  auditRetentionDays,
  btAliases,
  databaseDirectUrl,
  databaseUrl,
  docsUrl,
  drainDelay,
  idempotencyRetention,
  internalAddress,
  logLevel,
  migrationDatabaseUrl,
  purgeInterval,
  rateLimits,
  redis,
  runnerAddress,
  serviceToken,
  shutdownTimeout,
  trustedHops,
  vaultAddress,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { Environment, SettingsOf } from '@glovebox/platform/settings/setting';
import { publicKeysSetting } from '@glovebox/published/public-keys';
import { waitingEvents } from '@glovebox/published/waiting-events';

import { signInSettings } from './identity/sign-in-settings.ts';
import { inputLimits } from './limits/input-limits.ts';

const migrationSettings = {
  databaseUrl: databaseUrl('DATABASE_URL', 'The database `control`'),
  directUrl: databaseDirectUrl,
  migrationUrl: migrationDatabaseUrl,
};

/** Where the published state comes from and goes to; all that the command line needs. */
const storeSettings = {
  logLevel,
  ...migrationSettings,
  redisUrl: redis.url,
  redisPrefix: redis.prefix,
  redisIsCluster: redis.isCluster,
  redisWaitReplicas: redis.waitReplicas,
  publication: {
    keyFile: string(
      'PUBLICATION_KEY_FILE',
      'The key that signs published records: Ed25519, PEM ([how to make one](installing.md#5-secrets))',
    ),
    publicKeys: publicKeysSetting,
  },
  waitingEvents,
  inputLimits,
};

export const settings = {
  ...storeSettings,
  httpHost: string('HTTP_HOST', 'Host of the management API', '127.0.0.1'),
  httpPort: port('HTTP_PORT', 'The port of the management API'),
  metricsHost: internalAddress(9080).host,
  metricsPort: internalAddress(9080).port,
  drainDelayMs: drainDelay,
  shutdownTimeoutMs: shutdownTimeout({ min: 100, max: 300_000 }),
  serviceToken,
  vaultAddress,
  runnerAddress,
  grpcTls,
  egressProfile,
  egressAllowHosts,
  urlLength,
  expiring: {
    // Live ones that one application has made; more are a 429. Each is a row and a published record.
    perCreator: 10_000,
    // Every vault that meets the key of one keeps its rules in memory.
    rulesLength: 16_384,
  },
  rateLimits,
  idempotency: {
    retentionMs: idempotencyRetention,
    // An answer is a part of the transaction of its request.
    maxAnswerBytes: 1_048_576,
  },
  logRetention: { days: auditRetentionDays, intervalMs: purgeInterval },
  // After the second time no request can write that had begun before its tenant was deleted: a statement takes 10 s.
  erasure: { intervalMs: 1000, settleMs: 15_000 },
  // How often to look for secrets under earlier data keys. There is nothing to turn: they are soon sealed anew.
  resealing: { intervalMs: 60 * 60_000 },
  trustedHops,
  docsUrl,
  signIn: signInSettings,
  aliases: btAliases,
};

export type StoreConfig = SettingsOf<typeof storeSettings>;
export type ControlConfig = SettingsOf<typeof settings>;
export type Retention = ControlConfig['logRetention'];

/** @throws ConfigError naming every problem. */
export function readControlConfig(environment: Environment = process.env): ControlConfig {
  return readSettings(settings, environment);
}

/** @throws ConfigError naming every problem. */
export function readStoreConfig(environment: Environment = process.env): StoreConfig {
  return readSettings(storeSettings, environment);
}

/** All that bringing the database up to date needs. @throws ConfigError */
export function readMigrationConfig(environment: Environment = process.env): MigrationRoles {
  return readSettings(migrationSettings, environment);
}
