import { type RateLimits, createRateLimits } from '@glovebox/platform/db/rate-limits';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RunnerConfig } from './config.ts';

/** The limits of the gateway, under the names that it gives them: what code does with a key counts with the rest. */
export function connectRates(
  { rateLimits: { windowMs, perKey, perTenant }, redis }: Pick<RunnerConfig, 'rateLimits' | 'redis'>,
  metrics: MetricsRegistry,
  logger: Logger,
): RateLimits<'key' | 'tenant'> | undefined {
  return createRateLimits({
    points: { key: perKey, tenant: perTenant },
    windowMs,
    redisUrl: redis.url,
    prefix: `${redis.prefix}:rate:gateway`,
    connectionName: 'reactor-runner-rates',
    commandTimeoutMs: 200,
    metrics,
    logger,
  });
}
