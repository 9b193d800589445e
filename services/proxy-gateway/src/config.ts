import {
  egressAllowCidrs,
  egressAllowHosts,
  egressDeniedPorts,
  egressProfile,
  urlLength,
} from '@glovebox/egress/egress-settings';
import { grpcTls } from '@glovebox/platform/grpc/tls-settings';
import { flag, integer, list, port, string } from '@glovebox/platform/settings/builders';
import {
  btAliases,
  docsUrl,
  drainDelay,
  idempotencyRetention,
  internalAddress,
  logLevel,
  rateLimits,
  redis,
  runnerAddress,
  serviceToken,
  shutdownTimeout,
  trustedHops,
  vaultAddress,
  warmUpTime,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import { type SettingsOf, derived } from '@glovebox/platform/settings/setting';
import { cacheSettings } from '@glovebox/published/cache-settings';
import { publicKeysSetting } from '@glovebox/published/public-keys';
import { waitingEvents } from '@glovebox/published/waiting-events';

import type { AllowedOrigins } from './http/exchange.ts';
import { limitSettings } from './limit-settings.ts';

/** Origins of pages that may call from a browser. */
const allowedOrigins = derived(
  list(
    'ALLOWED_ORIGINS',
    'Pages in browsers that may call the data plane: `*` (any origin, also when it is absent), `none`, or origins separated by commas, e.g. `https://shop.example.org`',
  ),
  (items, problem): AllowedOrigins => {
    if (items.length === 0 || (items.length === 1 && items[0] === '*')) return '*';
    if (items.length === 1 && items[0] === 'none') return new Set();
    if (!items.every((item) => URL.canParse(item) && new URL(item).origin === item))
      problem('ALLOWED_ORIGINS must be *, none, or origins such as https://shop.example.org');
    return new Set(items);
  },
);

export const settings = {
  logLevel,
  http: {
    host: string('HTTP_HOST', 'Host of the public port', '0.0.0.0'),
    port: port('HTTP_PORT', 'The public port of the data plane', 8081),
  },
  internal: internalAddress(9081),
  redis,
  vaultAddress,
  runnerAddress,
  grpcTls,
  serviceToken,
  egress: {
    profile: egressProfile,
    allowCidrs: egressAllowCidrs,
    allowHosts: egressAllowHosts,
    urlLength,
    denied: egressDeniedPorts,
    destinationTimeoutMs: integer(
      'DESTINATION_TIMEOUT_MS',
      'Until a destination’s response begins; then 408',
      { default: 25_000, min: 100, max: 300_000 },
    ),
    maxConnectionsPerOrigin: integer(
      'DESTINATION_MAX_CONNECTIONS',
      'Open connections to one destination. One tenant has at most three quarters of them',
      {
        default: 256,
        min: 1,
        max: 10_000,
      },
    ),
  },
  limits: limitSettings,
  waitingEvents,
  publicationKeys: publicKeysSetting,
  publishedCache: cacheSettings({ maxEntries: 20_000, freshMs: 10_000 }),
  docsUrl,
  aliases: btAliases,
  origins: allowedOrigins,
  tellsTiming: flag(
    'SERVER_TIMING',
    'Responses say in `Server-Timing` how long each stage of the request took',
    true,
  ),
  ephemeralProxies: flag(
    'EPHEMERAL_PROXIES',
    'Callers may name a destination themselves by `SVC-PROXY-URL`, unless their tenant has set `disable_ephemeral_proxy` to `"true"`',
    true,
  ),
  idempotency: {
    retentionMs: idempotencyRetention,
    // Such answers are kept in Redis.
    maxAnswerBytes: 262_144,
  },
  rateLimits: {
    ...rateLimits,
    perAnonymous: integer(
      'RATE_LIMIT_PER_ANONYMOUS',
      'Requests in a window of one client address to one proxy that it invokes without a key. 0: any number',
      { default: 0, min: 0, max: 1_000_000_000 },
    ),
  },
  trustedHops,
  drainDelayMs: drainDelay,
  shutdownTimeoutMs: shutdownTimeout({ min: 100, max: 600_000 }),
  warmUpMs: warmUpTime,
};

export type GatewayConfig = SettingsOf<typeof settings>;

/** @throws ConfigError naming every problem. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readSettings(settings, env);
}
