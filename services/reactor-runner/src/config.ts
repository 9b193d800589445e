import { availableParallelism } from 'node:os';

import { peerTokens } from '@glovebox/platform/grpc/peer-tokens';
import { grpcTls } from '@glovebox/platform/grpc/tls-settings';
import { integer } from '@glovebox/platform/settings/builders';
import {
  docsUrl,
  grpcListener,
  internalAddress,
  logLevel,
  maxCallsInFlight,
  rateLimits,
  redis,
  serviceToken,
  shutdownTimeout,
  vaultAddress,
  vaultTimeout,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';
import { cacheSettings } from '@glovebox/published/cache-settings';
import { publicKeysSetting } from '@glovebox/published/public-keys';

import { egressSettings } from './egress-config.ts';
import { asyncSettings, deliverySettings, limitSettings } from './limit-settings.ts';

export const settings = {
  logLevel,
  shutdownTimeoutMs: shutdownTimeout({ min: 1, max: 50_000 }),
  metrics: internalAddress(9465),
  grpc: grpcListener(50_052),
  grpcTls,
  redis,
  publicationKeys: publicKeysSetting,
  publishedCache: cacheSettings({ maxEntries: 20_000, freshMs: 10_000 }),
  vault: { address: vaultAddress, timeoutMs: vaultTimeout, maxOpenCalls: maxCallsInFlight },
  serviceToken,
  docsUrl,
  egress: egressSettings,
  peers: peerTokens,
  /** What is kept of the runs that failed or logged. */
  invocationLog: {
    // As many as one page shows.
    perOwner: 100,
    retentionMs: integer('LOG_RETENTION_MS', 'How long the records of runs that failed or logged are kept', {
      default: 86_400_000,
      min: 1000,
      max: 2_592_000_000,
    }),
  },
  workers: integer('WORKERS', 'Processes that run tenants’ code at once; one more is kept ready', {
    default: Math.min(availableParallelism(), 256),
    shownDefault: 'cores',
    min: 1,
    max: 256,
  }),
  limits: limitSettings,
  rateLimits,
  async: asyncSettings,
  deliveries: deliverySettings,
};

export type RunnerConfig = SettingsOf<typeof settings>;

/** @throws ConfigError with every problem at once. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): RunnerConfig {
  return readSettings(settings, env);
}
