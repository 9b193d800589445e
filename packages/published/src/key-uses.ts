import type { Redis } from '@glovebox/platform/db/redis';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { RedisNames } from './keys.ts';
import { RecentCounts, keyField } from './recent-counts.ts';

const pauseMs = 5000;
/** What was used before is not known any more. */
const keptMs = 90 * 24 * 60 * 60_000;
/** Keys that are used between two writes. */
const mostKeys = 50_000;

/** KEYS the hash; ARGV milliseconds to keep it, and then hashes of keys with their times. */
const noteUses = `
for at = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

export interface KeyUsesOptions {
  readonly redis: Redis;
  readonly names: Pick<RedisNames, 'keyUses' | 'recentCounts'>;
  /** The uses of the last seconds could not be written. */
  readonly onLost: (error: unknown) => void;
}

/** Keeps when each API key was last used, to some ten seconds, and how much it is. No request waits for it. */
export class KeyUses implements AsyncDisposable {
  readonly #options: KeyUsesOptions;
  readonly #rounds: AsyncDisposable;
  readonly #counts: RecentCounts;
  /** Tenants by the hash of the key. */
  #used = new Map<string, string>();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
    this.#rounds = repeatedly(pauseMs, () => this.#write());
    this.#counts = new RecentCounts(options);
  }

  /** @param keyHash SHA-256 of the key, in hex */
  note(tenantId: string, keyHash: string): void {
    this.#counts.note(tenantId, keyField(keyHash));
    if (!this.#used.has(keyHash) && this.#used.size < mostKeys) this.#used.set(keyHash, tenantId);
  }

  /** Writes what was noted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rounds[Symbol.asyncDispose]();
    await Promise.all([this.#write(), this.#counts[Symbol.asyncDispose]()]);
  }

  async #write(): Promise<void> {
    if (this.#used.size === 0) return;
    const { redis, names, onLost } = this.#options;
    const written: Promise<unknown>[] = [];
    const now = Date.now();
    for (const [tenantId, uses] of Map.groupBy(this.#used, ([, tenant]) => tenant)) {
      const fields = uses.flatMap(([hash]) => [hash, now]);
      written.push(redis.eval(noteUses, 1, names.keyUses(tenantId), keptMs, ...fields));
    }
    this.#used = new Map();
    await Promise.all(written).catch(onLost);
  }
}

/** When each of these keys was last used; undefined for one that was not, within 90 days. @throws Error while Redis is away */
export async function readKeyUses(
  redis: Redis,
  names: Pick<RedisNames, 'keyUses'>,
  tenantId: string,
  keyHashes: readonly string[],
): Promise<readonly (Date | undefined)[]> {
  if (keyHashes.length === 0) return [];
  const times = await redis.hmget(names.keyUses(tenantId), ...keyHashes);
  const oldest = Date.now() - keptMs;
  return times.map((time) => (time !== null && Number(time) >= oldest ? new Date(Number(time)) : undefined));
}
