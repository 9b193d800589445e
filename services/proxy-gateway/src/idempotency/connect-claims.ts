import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { Secret } from '@glovebox/platform/values/secret';

import { Claims } from './claims.ts';

interface ClaimsConfig {
  readonly redis: { readonly url: Secret<string>; readonly prefix: string };
  readonly idempotency: { readonly retentionMs: number };
}

/** Claims on a connection of their own: they must not wait behind the reading of configuration. */
export function connectClaims(
  config: ClaimsConfig,
  logger: Logger,
): Disposable & { readonly claims: Claims } {
  const redis = createRedis({
    url: config.redis.url,
    connectionName: 'proxy-gateway-idempotency',
    commandTimeoutMs: 1000,
    onError: (error) => logger.warn({ err: error }, 'redis connection'),
  });
  const { retentionMs } = config.idempotency;
  const claims = new Claims({ redis, prefix: config.redis.prefix, retentionMs, logger });
  return {
    claims,
    [Symbol.dispose]() {
      claims[Symbol.dispose]();
      redis.disconnect();
    },
  };
}
