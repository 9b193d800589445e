import { createGrpcChannel } from '@glovebox/platform/grpc-client';
import type { Logger } from '@glovebox/platform/logger';
import { createRedis } from '@glovebox/platform/redis';
import { redisNames } from '@glovebox/published/keys';
import { createRegistry } from '@glovebox/published/registry';

import type { RunnerConfig } from '../config.ts';
import { openConfiguration } from './open-configuration.ts';
import { ProxyVersions } from './proxy-versions.ts';

export interface ProxiesConnection extends AsyncDisposable {
  readonly proxies: ProxyVersions;
}

/** The published proxies in Redis and the vault that opens their configuration, both connected in the background. */
export function connectProxies(config: RunnerConfig, logger: Logger): ProxiesConnection {
  const redis = (connectionName: string) =>
    createRedis({
      url: config.redis.url,
      connectionName,
      commandTimeoutMs: 500,
      onError: (error) => logger.warn({ err: error, connectionName }, 'redis connection'),
    });
  const registry = createRegistry({
    redis: redis('reactor-runner'),
    subscriber: redis('reactor-runner-changes'),
    names: redisNames(config.redis.prefix),
    cache: { ...config.registry, retryAfterMs: 1000 },
    logger,
  });
  const vault = createGrpcChannel({ address: config.vaultAddress, token: config.serviceToken });
  return {
    proxies: new ProxyVersions({
      registry,
      openConfiguration: (proxy, correlationId) => openConfiguration(vault, proxy, correlationId),
    }),
    async [Symbol.asyncDispose]() {
      vault.close();
      await registry[Symbol.asyncDispose]();
    },
  };
}
