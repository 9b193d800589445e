import { createRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { redisNames } from '@glovebox/published/keys';
import { type PublishedRecords, openPublishedRecords } from '@glovebox/published/published-records';

import type { ControlConfig } from '../../src/config.ts';

/** Reads what is published as the data plane does, but keeps nothing of it. */
export function openReader(config: ControlConfig): PublishedRecords {
  const connect = () =>
    createRedis({
      url: config.redisUrl,
      connectionName: 'test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
  return openPublishedRecords({
    redis: connect(),
    subscriber: connect(),
    names: redisNames(config.redisPrefix),
    publicKeys: config.publication.publicKeys,
    metrics: createMetrics('test'),
    cache: { maxEntries: 1000, freshMs: 0, maxStaleMs: 0, retryAfterMs: 0 },
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
}
