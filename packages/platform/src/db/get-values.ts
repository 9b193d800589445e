import { Cluster } from 'ioredis';

import type { Redis } from './redis.ts';

/**
 * The values of several names. In a cluster each is asked for by itself: the names may be in several slots, and while a slot
 * moves, a command about several names fails unless all of them are on one side.
 */
export function getValues(redis: Redis, names: readonly string[]): Promise<(Buffer | null)[]> {
  if (!(redis instanceof Cluster)) return redis.mgetBuffer(...names);
  return Promise.all(names.map((name) => redis.getBuffer(name)));
}
