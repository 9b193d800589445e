import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import type { MaybePromise } from '../values/maybe-promise.ts';
import type { Redis } from './redis.ts';

export interface RateLimiterOptions {
  readonly redis: Redis;
  /** Start of the names in Redis. Limiters with the same one share their limit. */
  readonly prefix: string;
  /** Requests of one key in one window. */
  readonly points: number;
  /** Rounded up to whole seconds. */
  readonly windowMs: number;
  /** Keys in memory at once. The oldest are forgotten, with their slices. */
  readonly maxKeys?: number;
  /** Milliseconds. */
  readonly clock?: () => number;
}

/** State of one key in the current window. */
interface Allowance {
  /** Unused part of the slice. */
  left: number;
  /** End of the window of the slice. */
  until: number;
  /** Until then the window is used up. */
  blockedUntil: number;
  /** Size of the next slice. */
  slice: number;
  waiting: number;
  refill: Promise<void> | undefined;
}

/** A slice is at most this part of the remaining allowance. */
const largestPart = 1 / 16;

/**
 * Admits a number of requests per window, counted in Redis for all processes together. Each process takes slices of
 * the allowance: one request at first, then twice as many each time, and fewer again as the allowance runs out. Most
 * decisions, and all refusals in a used-up window, cost no round trip. The rest of a slice that a process does not use
 * is lost until the window ends: never more than a sixteenth of what was left. While Redis is away each process counts
 * for itself.
 */
export class RateLimiter {
  readonly #points: number;
  readonly #counter: RateLimiterRedis;
  readonly #maxKeys: number;
  readonly #clock: () => number;
  readonly #allowances = new Map<string, Allowance>();

  constructor({ redis, prefix, points, windowMs, maxKeys = 100_000, clock = Date.now }: RateLimiterOptions) {
    const window = { points, duration: Math.ceil(windowMs / 1000), keyPrefix: prefix };
    this.#points = points;
    this.#maxKeys = maxKeys;
    this.#clock = clock;
    this.#counter = new RateLimiterRedis({
      ...window,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(window),
    });
  }

  /** Undefined: admitted. Otherwise the milliseconds until it may be retried, at least 1. */
  take(key: string): MaybePromise<number | undefined> {
    const allowance = this.#allowanceOf(key);
    const now = this.#clock();
    if (now < allowance.blockedUntil) return allowance.blockedUntil - now;
    if (now < allowance.until && allowance.left > 0) {
      allowance.left -= 1;
      return undefined;
    }
    return this.#takeLater(key, allowance);
  }

  async #takeLater(key: string, allowance: Allowance): Promise<number | undefined> {
    allowance.waiting += 1;
    try {
      for (;;) {
        allowance.refill ??= this.#refill(key, allowance).finally(() => {
          allowance.refill = undefined;
        });
        await allowance.refill;
        const now = this.#clock();
        if (now < allowance.blockedUntil) return allowance.blockedUntil - now;
        if (allowance.left === 0) continue;
        allowance.left -= 1;
        return undefined;
      }
    } finally {
      allowance.waiting -= 1;
    }
  }

  async #refill(key: string, allowance: Allowance): Promise<void> {
    const wanted = Math.min(Math.max(allowance.slice, allowance.waiting), this.#points);
    const { consumedPoints, msBeforeNext } = await this.#counter.consume(key, wanted).catch(asCounted);
    const end = this.#clock() + Math.max(1, msBeforeNext);
    // Redis counts the part beyond the limit, too; the part within it belongs to this process.
    const granted = Math.min(wanted, this.#points - (consumedPoints - wanted));
    if (granted <= 0) {
      allowance.left = 0;
      allowance.blockedUntil = end;
      allowance.slice = 1;
      return;
    }
    allowance.left = granted;
    allowance.until = end;
    const largest = Math.floor((this.#points - consumedPoints) * largestPart);
    allowance.slice = Math.max(1, Math.min(wanted * 2, largest));
  }

  #allowanceOf(key: string): Allowance {
    const known = this.#allowances.get(key);
    if (known !== undefined) return known;
    if (this.#allowances.size >= this.#maxKeys) {
      for (const oldest of this.#allowances.keys()) {
        this.#allowances.delete(oldest);
        break;
      }
    }
    const made = { left: 0, until: 0, blockedUntil: 0, slice: 1, waiting: 0, refill: undefined };
    this.#allowances.set(key, made);
    return made;
  }
}

function asCounted(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}
