import type { Logger } from '../telemetry/logger.ts';
import { Counter, type MetricsRegistry } from '../telemetry/metrics.ts';

export interface RedisErrorsOptions {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Of the connection, or of the queue. */
  readonly name: string;
  /** In the log. */
  readonly message?: string;
  /** Milliseconds. */
  readonly clock?: () => number;
}

const metricName = 'glovebox_redis_errors_total';
const quietMs = 1000;

/**
 * Takes the errors of one connection or queue: it counts each, and logs one a second with the number of those since the last.
 * While Redis is away they come by the hundred.
 */
export function redisErrors({
  logger,
  metrics,
  name,
  message = 'redis connection',
  clock = Date.now,
}: RedisErrorsOptions): (error: unknown) => void {
  const counter = counterIn(metrics);
  counter.inc({ connection: name }, 0);
  let quietUntil = 0;
  let unlogged = 0;
  return (err) => {
    counter.inc({ connection: name });
    const now = clock();
    if (now < quietUntil) {
      unlogged += 1;
      return;
    }
    logger.warn({ err, connection: name, ...(unlogged === 0 ? {} : { unlogged }) }, message);
    quietUntil = now + quietMs;
    unlogged = 0;
  };
}

function counterIn(metrics: MetricsRegistry): Counter {
  const known = metrics.getSingleMetric(metricName);
  if (known instanceof Counter) return known;
  return new Counter({
    name: metricName,
    help: 'Errors of connections to Redis, and of the queues on them. Not each one is logged.',
    labelNames: ['connection'],
    registers: [metrics],
  });
}
