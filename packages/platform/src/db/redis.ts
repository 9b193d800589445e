import { Redis } from 'ioredis';

import type { Secret } from '../values/secret.ts';

export type { Redis } from 'ioredis';

export interface RedisOptions {
  readonly url: Secret<string>;
  /** Shown in CLIENT LIST. */
  readonly connectionName: string;
  /** A command without an answer fails after this. */
  readonly commandTimeoutMs: number;
  /** Called each time the connection breaks or can't be made. */
  readonly onError: (error: Error) => void;
}

/** A connection for workers that wait for jobs: its commands wait for their answer, also while Redis is away. */
export function createPatientRedis(options: Omit<RedisOptions, 'commandTimeoutMs'>): Redis {
  const redis = new Redis(options.url.reveal(), {
    connectionName: options.connectionName,
    connectTimeout: 2000,
    maxRetriesPerRequest: null,
    retryStrategy: pauseBefore,
    // A refused command was not executed, so it is sent again.
    reconnectOnError: leaveReplica(2),
  });
  redis.on('error', options.onError);
  return redis;
}

/**
 * A connection that reconnects by itself. While it is away, commands fail at once: callers handle that, and a queue of
 * waiting commands would only hide it.
 */
export function createRedis(options: RedisOptions): Redis {
  const redis = new Redis(options.url.reveal(), {
    connectionName: options.connectionName,
    commandTimeout: options.commandTimeoutMs,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    // Subscribers subscribe at each `ready`; nothing would catch a failure of ioredis' own attempt.
    autoResubscribe: false,
    retryStrategy: pauseBefore,
    reconnectOnError: leaveReplica(1),
  });
  redis.on('error', options.onError);
  return redis;
}

/** Resolves when the first attempt to connect has succeeded or failed: after two seconds at most. */
export function firstAttempt(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') resolve();
    redis.once('ready', resolve).once('close', resolve);
    // A server that loads its data accepts the connection long before it is ready.
    setTimeout(resolve, 2000).unref();
  });
}

/**
 * After a failover an old connection may still lead to the former primary, which refuses every write. Then a new
 * connection is made, by the name that leads to the primary. At most once a second, since that may be the replica
 * itself.
 * @param outcome 1: the command fails, 2: it is sent again (ioredis, `reconnectOnError`)
 */
function leaveReplica(outcome: 1 | 2): (error: Error) => false | 1 | 2 {
  let notBefore = 0;
  return ({ message }) => {
    if (!message.startsWith('READONLY') || Date.now() < notBefore) return false;
    notBefore = Date.now() + 1000;
    return outcome;
  };
}

function pauseBefore(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), 1000) * (0.5 + Math.random() / 2);
}
