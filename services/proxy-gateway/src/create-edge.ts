import { createRateLimits } from '@glovebox/platform/db/rate-limits';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { FairTurns } from '@glovebox/platform/values/fair-turns';

import type { GatewayConfig } from './config.ts';
import { HeldBytes } from './http/body/body-memory.ts';
import type { Edge } from './http/exchange.ts';

/** What is the same for all requests; no rate limits when all of them are off. */
export function createEdge(
  { rateLimits, trustedHops, redis, aliases, origins, tellsTiming, limits, docsUrl }: GatewayConfig,
  logger: Logger,
  metrics: MetricsRegistry,
): Edge & Disposable {
  const { windowMs, perKey, perTenant, perAnonymous } = rateLimits;
  const rates = createRateLimits({
    points: { key: perKey, tenant: perTenant, anonymous: perAnonymous },
    windowMs,
    redisUrl: redis.url,
    prefix: `${redis.prefix}:rate:gateway`,
    connectionName: 'proxy-gateway-rates',
    metrics,
    logger,
  });
  return {
    aliases,
    origins,
    serverTiming: tellsTiming,
    docsUrl,
    bounds: limits.bounds,
    held: new HeldBytes(limits.maxHeldBytes),
    turns: new FairTurns(),
    rates,
    trustedHops,
    [Symbol.dispose]: () => rates?.[Symbol.dispose](),
  };
}
