import type { Redis } from '@glovebox/platform/db/redis';
import type { RedisNames } from '@glovebox/published/keys';

export interface DeliveryLimits {
  /** Waiting deliveries, of all endpoints together. */
  readonly open: number;
  readonly openPerEndpoint: number;
}

/** A delivery this old is given up. It is more than twice the time that all attempts take. */
export const deliveryLifeMs = 24 * 60 * 60 * 1000;

/** KEYS open, open of the endpoint; ARGV id, now, lifetime, the most of all, of the endpoint. Gives 1 for room. */
const admitScript = `
local now, life = tonumber(ARGV[2]), tonumber(ARGV[3])
for _, key in ipairs(KEYS) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now - life) end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then return 0 end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now, ARGV[1])
  redis.call('PEXPIRE', key, life)
end
return 1
`;

type Names = Pick<RedisNames, 'deliveriesOpen' | 'deliveriesOpenOf'>;

/** Counts waiting deliveries in Redis, so that a dead endpoint fills neither Redis nor the room of others. */
export class OpenDeliveries {
  readonly #redis: Redis;
  readonly #names: Names;
  readonly #limits: DeliveryLimits;

  constructor(redis: Redis, names: Names, limits: DeliveryLimits) {
    this.#redis = redis;
    this.#names = names;
    this.#limits = limits;
  }

  /** Whether there is room for a delivery. One that waits already has its room. */
  async admit(id: string, endpoint: string): Promise<boolean> {
    const { open, openPerEndpoint } = this.#limits;
    const values = [id, Date.now(), deliveryLifeMs, open, openPerEndpoint];
    return Number(await this.#redis.eval(admitScript, 2, ...this.#keys(endpoint), ...values)) === 1;
  }

  async end(id: string, endpoint: string): Promise<void> {
    await Promise.all(this.#keys(endpoint).map((key) => this.#redis.zrem(key, id)));
  }

  openOf(endpoint: string): Promise<number> {
    return this.#redis.zcard(this.#names.deliveriesOpenOf(endpoint));
  }

  open(): Promise<number> {
    return this.#redis.zcard(this.#names.deliveriesOpen);
  }

  #keys(endpoint: string): string[] {
    return [this.#names.deliveriesOpen, this.#names.deliveriesOpenOf(endpoint)];
  }
}
