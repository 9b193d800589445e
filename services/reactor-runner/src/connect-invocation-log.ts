import { createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { KeyUses } from '@glovebox/published/key-uses';
import { redisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import { OutlineWriter } from '@glovebox/published/outline-writer';
import { RecentCounts } from '@glovebox/published/recent-counts';

import type { RunnerConfig } from './config.ts';
import type { Upstreams } from './connect-upstreams.ts';
import { InvocationLog } from './invocation-log/invocation-log.ts';
import { Outlines } from './invocation-log/outlines.ts';
import { InvocationStore } from './invocation-log/store.ts';

export interface InvocationLogConnection extends AsyncDisposable {
  readonly invocationLog: InvocationLog;
  readonly outlines: Outlines;
  /** What operations need of it. */
  readonly context: {
    readonly invocations: InvocationStore;
    /** Of keys that code holds itself. */
    readonly keyUses: KeyUses;
  };
}

/** The log has a connection of its own, so that its writes never delay reads of published records. */
export function connectInvocationLog(
  config: Pick<RunnerConfig, 'redis' | 'invocationLog'>,
  { logSealing, published }: Pick<Upstreams, 'logSealing' | 'published'>,
  metrics: MetricsRegistry,
  logger: Logger,
): InvocationLogConnection {
  const connectionName = 'reactor-runner-invocation-log';
  const redis = createRedis({
    url: config.redis.url,
    connectionName,
    commandTimeoutMs: 2000,
    onError: redisErrors({ logger, metrics, name: connectionName }),
  });
  const invocations = new InvocationStore({ redis, prefix: config.redis.prefix, ...config.invocationLog });
  const names = redisNames(config.redis);
  const store = new OutlineStore(redis, names);
  const onLost = (err: unknown) => logger.warn({ err }, 'counts of keys or invocations were not kept');
  const keyUses = new KeyUses({ redis, names, onLost });
  const recent = new RecentCounts({ redis, names, onLost });
  const outlines = new OutlineWriter(store, metrics);
  const invocationLog = new InvocationLog({ sealing: logSealing, store: invocations, metrics, logger });
  return {
    invocationLog,
    context: { invocations, keyUses },
    outlines: new Outlines(published, outlines, recent),
    async [Symbol.asyncDispose]() {
      await Promise.all([invocationLog, outlines, keyUses, recent].map((one) => one[Symbol.asyncDispose]()));
      await redis.quit().catch(() => undefined);
      // A lost connection cannot quit, and would keep reconnecting.
      redis.disconnect();
    },
  };
}
