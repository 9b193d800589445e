import { Cluster, Command } from 'ioredis';

import type { PatientRedis, Redis } from './redis.ts';
import { slotOf } from './slot-of.ts';

/**
 * Resolves when replicas have what this connection has written to the primary of this name.
 * @throws Error when they do not get it in time
 */
export type AwaitReplicas = (name: string) => Promise<void>;

/** The server leaves other commands of the connection waiting meanwhile. */
const timeoutMs = 500;

/**
 * For what is nowhere but in Redis: a primary that is lost takes along what its replicas do not have yet. To be called
 * as soon as the write is answered, with the connection that has written.
 * @param count replicas; 0: it does not wait
 */
export function awaitReplicas(redis: Redis | PatientRedis, count: number): AwaitReplicas {
  return async (name) => {
    if (count === 0) return;
    const wait = new Command('wait', [String(count), String(timeoutMs)]);
    // WAIT names no key: without its slot it would go to any node.
    const sent =
      redis instanceof Cluster
        ? redis.sendCommand(wait, undefined, { slot: slotOf(name) })
        : redis.call('WAIT', count, timeoutMs);
    const reached = Number(await sent);
    if (!(reached >= count)) throw new Error(`${reached} replicas of ${count} have what was written`);
  };
}
