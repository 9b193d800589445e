import { createRateLimits } from '@glovebox/platform/db/rate-limits';
import { createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { FairTurns } from '@glovebox/platform/values/fair-turns';
import { KeyUses } from '@glovebox/published/key-uses';
import { redisNames } from '@glovebox/published/keys';

import type { GatewayConfig } from './config.ts';
import { HeldBytes } from './http/body/body-memory.ts';
import type { Edge } from './http/exchange.ts';

export interface OpenEdge extends Edge, AsyncDisposable {
  /** Resolves when requests can be counted together with those of other gateways, or Redis is away. */
  attempted(): Promise<void>;
}

/** What is the same for all requests; no rate limits when all of them are off. */
export function createEdge(config: GatewayConfig, logger: Logger, metrics: MetricsRegistry): OpenEdge {
  const { rateLimits, redis } = config;
  const { windowMs, perKey, perTenant, perAnonymous } = rateLimits;
  const rates = createRateLimits({
    points: { key: perKey, tenant: perTenant, anonymous: perAnonymous },
    windowMs,
    redisUrl: redis.url,
    prefix: `${redis.prefix}:rate:gateway`,
    connectionName: 'proxy-gateway-rates',
    commandTimeoutMs: 200,
    metrics,
    logger,
  });
  const connectionName = 'proxy-gateway-key-uses';
  const keysRedis = createRedis({
    url: redis.url,
    connectionName,
    commandTimeoutMs: 1000,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
  const onLost = (err: unknown) => logger.warn({ err }, 'the last uses of keys were not kept');
  const keyUses = new KeyUses({ redis: keysRedis, names: redisNames(redis), onLost });
  return {
    ...edgeOf(config, { rates, keyUses }),
    attempted: async () => rates?.attempted(),
    async [Symbol.asyncDispose]() {
      await keyUses[Symbol.asyncDispose]();
      keysRedis.disconnect();
      rates?.[Symbol.dispose]();
    },
  };
}

/** The same without what it needs Redis for. */
export function edgeOf(
  { trustedHops, aliases, origins, tellsTiming, limits, docsUrl }: GatewayConfig,
  counted: Pick<Edge, 'rates' | 'keyUses'>,
): Edge {
  return {
    aliases,
    origins,
    serverTiming: tellsTiming,
    docsUrl,
    bounds: limits.bounds,
    held: new HeldBytes(limits.maxHeldBytes),
    turns: new FairTurns(),
    ...counted,
    trustedHops,
  };
}
