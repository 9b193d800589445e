import type { Redis } from '@glovebox/platform/db/redis';
import type { RedisNames } from '@glovebox/published/keys';

import type { RequestPlace } from './request-store.ts';

/** How many requests have no outcome, and when the oldest was accepted, in milliseconds since the epoch. */
export interface Depth {
  readonly open: number;
  readonly oldest: number | undefined;
}

/** Leftovers that one look removes. */
const mostLeftovers = 100;

/**
 * The requests of all tenants without an outcome, in a cluster: each tenant is in a slot of its own there, and no script can
 * count them together. The list follows what happens to requests, and a process may die in between: so what has
 * an outcome, or is gone, is removed when it is met as the oldest.
 */
export class OpenOfAll {
  readonly #redis: Redis;
  readonly #names: Pick<RedisNames, 'asyncOpenOfAll' | 'asyncRequest'>;

  constructor(redis: Redis, names: Pick<RedisNames, 'asyncOpenOfAll' | 'asyncRequest'>) {
    this.#redis = redis;
    this.#names = names;
  }

  count(): Promise<number> {
    return this.#redis.zcard(this.#names.asyncOpenOfAll);
  }

  async add(place: RequestPlace): Promise<void> {
    await this.#redis.zadd(this.#names.asyncOpenOfAll, Date.now(), memberOf(place));
  }

  async remove(place: RequestPlace): Promise<void> {
    await this.#redis.zrem(this.#names.asyncOpenOfAll, memberOf(place));
  }

  async depth(): Promise<Depth> {
    const key = this.#names.asyncOpenOfAll;
    for (let met = 0; met < mostLeftovers; met += 1) {
      const [member, score] = await this.#redis.zrange(key, '0', '0', 'WITHSCORES');
      if (member === undefined) break;
      if (await this.#isOpen(member)) return { open: await this.count(), oldest: Number(score) };
      await this.#redis.zrem(key, member);
    }
    return { open: await this.count(), oldest: undefined };
  }

  async #isOpen(member: string): Promise<boolean> {
    const [tenantId = '', requestId = ''] = member.split(' ');
    return (await this.#redis.hget(this.#names.asyncRequest(tenantId, requestId), 'state')) === 'open';
  }
}

type Ids = Pick<RequestPlace, 'tenantId' | 'requestId'>;

const memberOf = ({ tenantId, requestId }: Ids) => `${tenantId} ${requestId}`;
