import { createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import type { Secret } from '@glovebox/platform/values/secret';

import { Claims } from './claims.ts';

interface ClaimsConfig {
  readonly redis: { readonly url: Secret<string>; readonly prefix: string; readonly waitReplicas: number };
  readonly idempotency: { readonly retentionMs: number };
}

/** Claims on a connection of their own: they must not wait behind the reading of configuration. */
export function connectClaims(
  config: ClaimsConfig,
  logger: Logger,
  metrics: MetricsRegistry,
): Disposable & { readonly claims: Claims } {
  const connectionName = 'proxy-gateway-idempotency';
  const redis = createRedis({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 1000,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
  const { prefix, waitReplicas } = config.redis;
  const { retentionMs } = config.idempotency;
  const claims = new Claims({ redis, prefix, waitReplicas, retentionMs, logger });
  return {
    claims,
    [Symbol.dispose]() {
      claims[Symbol.dispose]();
      redis.disconnect();
    },
  };
}
