import { createRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RunnerConfig } from './config.ts';
import { Journal } from './invocation-log/invocation-log.ts';
import type { Sealing } from './invocation-log/log-sealing.ts';
import { InvocationStore } from './invocation-log/store.ts';

export interface JournalConnection extends AsyncDisposable {
  readonly journal: Journal;
  readonly invocations: InvocationStore;
}

/** The journal on a connection of its own: what it has to write never stands before a published record. */
export function connectJournal(
  config: Pick<RunnerConfig, 'redis' | 'journal'>,
  sealing: Sealing,
  metrics: MetricsRegistry,
  logger: Logger,
): JournalConnection {
  const connectionName = 'reactor-runner-journal';
  const redis = createRedis({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 2000,
    onError: (error) => logger.warn({ err: error, connectionName }, 'redis connection'),
  });
  const invocations = new InvocationStore({ redis, prefix: config.redis.prefix, ...config.journal });
  const journal = new Journal({ sealing, store: invocations, metrics, logger });
  return {
    journal,
    invocations,
    async [Symbol.asyncDispose]() {
      await journal[Symbol.asyncDispose]();
      await redis.quit().catch(() => undefined);
      // A connection that is away can't be told goodbye, and would go on trying to come back.
      redis.disconnect();
    },
  };
}
