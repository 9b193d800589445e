import type { EventEmitter } from 'node:events';

import { Redis as Client, Cluster, type RedisOptions as AnyOptions, type RedisCommander } from 'ioredis';

import { type RedisTarget, parseRedisUrl } from '../values/redis-url.ts';
import type { Secret } from '../values/secret.ts';
import { FirmSentinelConnector } from './firm-sentinel-connector.ts';
import { FirmCluster, clusterOptions, followNodes } from './redis-cluster.ts';
import { pauseBefore } from './redis-pause.ts';

/** One server or a cluster: what both can do. In a cluster, the names of one command must have the same tag. */
export interface Redis extends RedisCommander, EventEmitter {
  readonly status: string;
  /** @param reconnect whether to begin anew */
  disconnect(reconnect?: boolean): void;
}

type ClientOptions = Omit<AnyOptions, 'replyMapping'>;

/** For BullMQ, which has to know which of both it is. */
export type PatientRedis = Client | Cluster;

export interface RedisOptions {
  /** One server, sentinels, or a cluster (values/redis-url.ts). */
  readonly url: Secret<string>;
  /** Shown in CLIENT LIST. */
  readonly connectionName: string;
  /** A command without an answer fails after this. */
  readonly commandTimeoutMs: number;
  /** Called each time the connection breaks or can't be made. */
  readonly onError: (error: Error) => void;
}

/** A connection for workers that wait for jobs: its commands wait for their answer, also while Redis is away. */
export function createPatientRedis(options: Omit<RedisOptions, 'commandTimeoutMs'>): PatientRedis {
  const target = parseRedisUrl(options.url.reveal());
  const common = {
    connectionName: options.connectionName,
    connectTimeout: 2000,
    maxRetriesPerRequest: null,
  };
  if (target.kind === 'cluster') {
    const cluster = new Cluster([...target.nodes], {
      ...clusterOptions(target, common),
      // As often as it takes: commands wait until another node has taken over.
      maxRedirections: Number.MAX_SAFE_INTEGER,
      retryDelayOnFailover: 100,
    });
    return cluster.on('error', options.onError).on('node error', options.onError);
  }
  const redis = connect(target, {
    ...common,
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
  const target = parseRedisUrl(options.url.reveal());
  if (target.kind !== 'cluster') return connectOnce(target, options);
  const { connectionName, commandTimeoutMs: commandTimeout } = options;
  const cluster = new FirmCluster(
    [...target.nodes],
    clusterOptions(target, { connectionName, commandTimeout, connectTimeout: 2000 }),
  );
  return cluster.on('error', options.onError).on('node error', options.onError);
}

/** The same for subscriptions: to one server, which another one follows as soon as it is lost. Each node of a cluster hears all. */
export function createSubscriber(options: RedisOptions): Redis {
  const target = parseRedisUrl(options.url.reveal());
  if (target.kind !== 'cluster') return connectOnce(target, options);
  const { tls, nodes, credentials } = target;
  const follower = followNodes(nodes);
  const redis: Client = new Client({
    ...nodes[0],
    ...credentials,
    ...(tls ? { tls: {} } : {}),
    ...impatient(options),
    retryStrategy: (attempt) => follower.next(redis, attempt),
  });
  follower.follow(redis);
  return redis.on('error', options.onError);
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

function connectOnce(target: Exclude<RedisTarget, { kind: 'cluster' }>, options: RedisOptions): Redis {
  const redis = connect(target, {
    ...impatient(options),
    enableAutoPipelining: true,
    reconnectOnError: leaveReplica(1),
  });
  return redis.on('error', options.onError);
}

function impatient({ connectionName, commandTimeoutMs }: RedisOptions) {
  return {
    connectionName,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Subscribers subscribe at each `ready`; nothing would catch a failure of ioredis' own attempt.
    autoResubscribe: false,
    retryStrategy: pauseBefore,
  } satisfies ClientOptions;
}

function connect(target: Exclude<RedisTarget, { kind: 'cluster' }>, options: ClientOptions): Client {
  if (target.kind === 'server') return new Client(target.url, options);
  const { sentinels, name, tls, credentials, sentinelCredentials: own } = target;
  return new Client({
    ...options,
    ...credentials,
    sentinels: [...sentinels],
    name,
    sentinelUsername: own.username,
    sentinelPassword: own.password,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // A former primary that does not answer is left as soon as the sentinels name another one.
    failoverDetector: true,
    Connector: FirmSentinelConnector,
    sentinelRetryStrategy: pauseBefore,
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
