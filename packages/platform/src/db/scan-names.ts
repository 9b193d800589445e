import { Cluster } from 'ioredis';

import type { Redis } from './redis.ts';

/**
 * All names that match, some of them more than once. In a cluster each primary is asked twice: a name that moves from
 * one that is yet to be asked to one that has been would be missed.
 */
export async function* scanNames(
  redis: Redis,
  pattern: string,
  atOnce: number,
): AsyncIterable<readonly string[]> {
  if (!(redis instanceof Cluster)) {
    yield* scanOne(redis, pattern, atOnce);
    return;
  }
  for (let round = 1; round <= 2; round += 1) {
    for (const node of redis.nodes('master')) yield* scanOne(node, pattern, atOnce);
  }
}

async function* scanOne(
  redis: Pick<Redis, 'scan'>,
  pattern: string,
  atOnce: number,
): AsyncIterable<readonly string[]> {
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', atOnce);
    yield names;
    cursor = next;
  } while (cursor !== '0');
}
