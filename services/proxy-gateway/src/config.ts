import {
  egressAllowCidrs,
  egressAllowHosts,
  egressDeniedPorts,
  egressProfile,
  urlLength,
} from '@glovebox/egress/egress-settings';
import { expressionLimitSettings } from '@glovebox/expressions/limits';
import { grpcTls } from '@glovebox/platform/grpc/tls-settings';
import { flag, integer, integers, list, port, string } from '@glovebox/platform/settings/builders';
import {
  btAliases,
  docsUrl,
  drainDelay,
  idempotencyRetention,
  internalAddress,
  logLevel,
  maxCallsInFlight,
  pageSize,
  rateLimits,
  redis,
  runnerAddress,
  serviceToken,
  shutdownTimeout,
  vaultAddress,
  vaultTimeout,
} from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import { type SettingsOf, derived } from '@glovebox/platform/settings/setting';
import { cacheSettings } from '@glovebox/published/cache-settings';
import { waitingEvents } from '@glovebox/published/waiting-events';

import type { AllowedOrigins } from './http/exchange.ts';

const maxHeaderBytes = integer(
  'MAX_HEADER_BYTES',
  'Headers of one request; more is a 431. Headers that code returns; more is a 500. One header with the values of its expressions in it',
  { default: 32_768, min: 4096, max: 1_048_576 },
);

const limits = derived(
  {
    maxSearchedBytes: integer(
      'MAX_SEARCHED_BYTES',
      'Bodies up to this size are read whole and searched for expressions; a larger one that holds any is a 413',
      { default: 10_485_760, min: 1024, max: 104_857_600 },
    ),
    maxFilledBytes: integer(
      'MAX_FILLED_BYTES',
      'A body with the values of its expressions in it; more is a 413',
      { default: 33_554_432, min: 1024, max: 268_435_456 },
    ),
    maxHeldBytes: integer(
      'MAX_HELD_BYTES',
      'All bodies that are in memory at once, as they came, decoded and filled, beyond 64 KiB of each; more are a 503, and more than half of it for one tenant a 429. The process needs three times as much memory',
      { default: 268_435_456, min: 4096, max: 8_589_934_592 },
    ),
    maxHeaderBytes,
    maxTokenBodyBytes: integer(
      'MAX_TOKEN_BODY_BYTES',
      'A request to `/tokens`, `/tokenize`, `/detokenize`, `/token-intents`, `/keys` or `/sessions`; more is a 413',
      { default: 2_097_152, min: 1024, max: 8_388_608 },
    ),
    maxTransformedBytes: integer(
      'MAX_TRANSFORMED_BYTES',
      'A body that a transform takes; more is a 413, of a response a 502',
      { default: 1_048_576, min: 1024, max: 4_194_304 },
    ),
    maxReactBytes: integer('MAX_REACT_BODY_BYTES', 'A request to `/reactors/{id}/react`; more is a 413', {
      default: 1_048_576,
      min: 1024,
      max: 4_194_304,
    }),
    vaultTimeoutMs: vaultTimeout,
    runnerTimeoutMs: integer(
      'RUNNER_TIMEOUT_MS',
      'For the result of code; then 503. Set it above the runner’s `MAX_RUN_MS`, so that the runner says why there is no result',
      { default: 35_000, min: 10, max: 660_000 },
    ),
    maxCallsInFlight,
    bounds: {
      expressions: integers(expressionLimitSettings),
      headerBytes: maxHeaderBytes,
      decodedRatio: integer(
        'MAX_DECODED_RATIO',
        'How many times as large a body may become when its Content-Encoding is undone, beyond 64 KiB; more is a 413, of a response that a transform takes a 502. Ordinary JSON becomes 5 to 20 times as large; a few bytes can be made to stand for megabytes',
        { default: 100, min: 1, max: 10_000 },
      ),
      pageSize,
    },
  },
  (read, problem) => {
    // One tenant has half of it, and a request may hold a body both as it came and filled.
    if (read.maxHeldBytes / 2 < read.maxSearchedBytes + read.maxFilledBytes)
      problem('MAX_HELD_BYTES must be at least twice as much as MAX_SEARCHED_BYTES and MAX_FILLED_BYTES');
    return read;
  },
);

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
    maxConnectionsPerOrigin: integer('DESTINATION_MAX_CONNECTIONS', 'Open connections to one destination', {
      default: 256,
      min: 1,
      max: 10_000,
    }),
  },
  limits,
  waitingEvents,
  registry: cacheSettings({ maxEntries: 20_000, freshMs: 10_000 }),
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
    trustedHops: integer(
      'TRUSTED_HOPS',
      'Proxies of your own that a request passes on its way here: the gateway believes as many addresses at the end of `X-Forwarded-For`. 0: it ignores the header',
      { default: 0, min: 0, max: 10 },
    ),
  },
  drainDelayMs: drainDelay,
  shutdownTimeoutMs: shutdownTimeout({ min: 100, max: 600_000 }),
};

export type GatewayConfig = SettingsOf<typeof settings>;

/** @throws ConfigError naming every problem. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readSettings(settings, env);
}
