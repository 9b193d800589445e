import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RunnerConfig } from './config.ts';
import { InvocationLog } from './invocation-log/invocation-log.ts';
import type { LogSealing } from './invocation-log/log-sealing.ts';
import { InvocationStore } from './invocation-log/store.ts';

export interface InvocationLogConnection extends AsyncDisposable {
  readonly invocationLog: InvocationLog;
  readonly invocations: InvocationStore;
}

/** The log has a connection of its own, so that its writes never delay reads of published records. */
export function connectInvocationLog(
  config: Pick<RunnerConfig, 'redis' | 'journal'>,
  sealing: LogSealing,
  metrics: MetricsRegistry,
  logger: Logger,
): InvocationLogConnection {
  const connectionName = 'reactor-runner-journal';
  const redis = createRedis({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 2000,
    onError: (error) => logger.warn({ err: error, connectionName }, 'redis connection'),
  });
  const invocations = new InvocationStore({ redis, prefix: config.redis.prefix, ...config.journal });
  const invocationLog = new InvocationLog({ sealing, store: invocations, metrics, logger });
  return {
    invocationLog,
    invocations,
    async [Symbol.asyncDispose]() {
      await invocationLog[Symbol.asyncDispose]();
      await redis.quit().catch(() => undefined);
      // A lost connection cannot quit, and would keep reconnecting.
      redis.disconnect();
    },
  };
}
