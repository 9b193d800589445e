import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { Counter, type MetricsRegistry } from '../telemetry/metrics.ts';
import { type MaybePromise, andThen } from '../values/maybe-promise.ts';
import type { Secret } from '../values/secret.ts';
import { RateLimiter } from './rate-limiter.ts';
import { redisErrors } from './redis-errors.ts';
import { createRedis, firstAttempt } from './redis.ts';

export interface RateLimitsOptions<Name extends string> {
  /** Requests of one key of that name in one window; 0: any number. */
  readonly points: Readonly<Record<Name, number>>;
  readonly windowMs: number;
  readonly redisUrl: Secret<string>;
  /** Start of the names in Redis. Processes with the same one share their limits. */
  readonly prefix: string;
  readonly connectionName: string;
  /** A count that Redis does not answer within this is the process's own. */
  readonly commandTimeoutMs: number;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

/** The limits of one service by their names. A limit of 0 costs nothing. */
export interface RateLimits<Name extends string> extends Disposable {
  /**
   * Admits one request, synchronously where possible.
   * @throws AppError `rate_limited` with the time to wait, synchronously or as a rejection
   */
  admit(name: Name, key: string): MaybePromise<void>;
  /** Resolves when the first attempt to connect to Redis has succeeded or failed: until then this process counts alone. */
  attempted(): Promise<void>;
}

/** Undefined when all limits are off. There is no connection to Redis then. */
export function createRateLimits<Name extends string>(
  options: RateLimitsOptions<Name>,
): RateLimits<Name> | undefined {
  const { points, windowMs, prefix, metrics, logger } = options;
  const refused = new Counter({
    name: 'glovebox_rate_limited_total',
    help: 'Requests that were refused because there were too many, by the limit.',
    labelNames: ['limit'],
    registers: [metrics],
  });
  const wanted = (Object.entries(points) as [Name, number][]).filter(([, count]) => count > 0);
  if (wanted.length === 0) return undefined;
  const redis = createRedis({
    url: options.redisUrl,
    connectionName: options.connectionName,
    commandTimeoutMs: options.commandTimeoutMs,
    onError: redisErrors({ logger, metrics, name: options.connectionName }),
  });
  const attempted = firstAttempt(redis);
  const limiters = new Map(
    wanted.map(([name, count]) => [
      name,
      new RateLimiter({ redis, prefix: `${prefix}:${name}`, points: count, windowMs }),
    ]),
  );
  const judge = (limit: Name, waitMs: number | undefined): void => {
    if (waitMs === undefined) return;
    refused.inc({ limit });
    throw tooMany(waitMs);
  };
  return {
    admit: (name, key) => {
      const limiter = limiters.get(name);
      if (limiter !== undefined) return andThen(limiter.take(key), (waitMs) => judge(name, waitMs));
    },
    attempted: () => attempted,
    [Symbol.dispose]: () => redis.disconnect(),
  };
}

function tooMany(waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new AppError('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
