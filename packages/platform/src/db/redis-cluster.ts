import { Cluster, type ClusterOptions, type Command, type Redis as Client, type RedisOptions } from 'ioredis';

import type { RedisAddress, RedisTarget } from '../values/redis-url.ts';
import { pauseBefore } from './redis-pause.ts';

/** How all connections to a cluster behave. */
export function clusterOptions(
  { tls, credentials }: Extract<RedisTarget, { kind: 'cluster' }>,
  each: Pick<RedisOptions, 'connectionName' | 'connectTimeout' | 'commandTimeout' | 'maxRetriesPerRequest'>,
) {
  return {
    redisOptions: { ...each, ...credentials, ...(tls ? { tls: {} } : {}) },
    clusterRetryStrategy: pauseBefore,
    // By its name: certificates hold names, and addresses change.
    dnsLookup: (host, found) => found(null, host),
    // Which finds out that a node has gone that neither answers nor refuses.
    slotsRefreshInterval: 5000,
    slotsRefreshTimeout: 1000,
    retryDelayOnTryAgain: 25,
    retryDelayOnClusterDown: 100,
    // A command whose connection broke may have been executed: it is not sent again.
    retryDelayOnFailover: 0,
    maxRedirections: 1000,
    // A pipeline that meets a moved slot fails in part, while a single command is sent on.
    enableAutoPipelining: false,
  } satisfies ClusterOptions;
}

/** A cluster whose commands fail at once while none of its nodes is known. Each node has a queue while it is connected. */
export class FirmCluster extends Cluster {
  override sendCommand(command: Command, ...rest: [stream?: never, node?: unknown]): unknown {
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('The cluster is away'));
    return command.promise;
  }
}

export interface NodeFollower {
  /** Has it go to the next one. @returns milliseconds until then */
  next(redis: Client, attempt: number): number;
  /** Learns of the nodes of the cluster each time that it is connected. */
  follow(redis: Client): void;
}

/** Lets a connection to one node of a cluster go to the next one when it breaks. */
export function followNodes(first: readonly RedisAddress[]): NodeFollower {
  let nodes = first;
  let position = 0;
  return {
    next(redis, attempt) {
      position += 1;
      // Read at each attempt to connect.
      Object.assign(redis.options, nodes[position % nodes.length]);
      return pauseBefore(attempt);
    },
    follow(redis) {
      redis.on('ready', () => {
        redis.cluster('SLOTS').then(
          (slots) => (nodes = distinct([...first, ...nodesIn(slots)])),
          // It has gone again: those that were known before stay.
          () => undefined,
        );
      });
    },
  };
}

/** @param slots the answer to CLUSTER SLOTS: for each range its bounds, and then a list of each node */
function nodesIn(slots: unknown): RedisAddress[] {
  if (!Array.isArray(slots)) return [];
  return slots.flatMap((range: unknown) => (Array.isArray(range) ? range.slice(2) : [])).flatMap(addressOf);
}

function addressOf(node: unknown): RedisAddress[] {
  if (!Array.isArray(node)) return [];
  const [host, port]: unknown[] = node;
  return typeof host === 'string' && host !== '' && typeof port === 'number' ? [{ host, port }] : [];
}

function distinct(nodes: readonly RedisAddress[]): RedisAddress[] {
  return [...new Map(nodes.map((node) => [`${node.host}:${node.port}`, node])).values()];
}
