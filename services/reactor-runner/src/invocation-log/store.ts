import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';

export interface StoreOptions {
  readonly redis: Redis;
  /** Prefix of every key in Redis. */
  readonly prefix: string;
  /** Invocations stored for one proxy or reactor. */
  readonly perOwner: number;
  readonly retentionMs: number;
}

export interface StoredInvocation {
  readonly id: string;
  readonly sealed: Buffer;
}

export interface NewInvocation extends StoredInvocation {
  readonly ownerId: string;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

const idBytes = 16;

/** KEYS the set; ARGV the last rank that is too much, until when one has expired, lifetime, and then times and members. */
const addScript = `
for at = 4, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

/** Sealed invocations in Redis: for each owner a sorted set by time, whose members are an id and the sealed text. */
export class InvocationStore {
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** @throws Error while Redis is away */
  async add(invocations: readonly NewInvocation[]): Promise<void> {
    const { redis, perOwner, retentionMs } = this.#options;
    const expired = Date.now() - retentionMs;
    const added: Promise<unknown>[] = [];
    for (const [ownerId, own] of Map.groupBy(invocations, (invocation) => invocation.ownerId)) {
      const key = this.#keyOf(ownerId);
      const members = own.flatMap(({ endedAt, ...stored }) => [endedAt, memberOf(stored)]);
      added.push(redis.eval(addScript, 1, key, -perOwner - 1, expired, retentionMs, ...members));
    }
    await Promise.all(added).catch((cause: unknown) => {
      throw new Error('Redis did not keep the invocations', { cause });
    });
  }

  /** Newest first. @throws AppError `unavailable` */
  async latest(ownerId: string, size: number): Promise<StoredInvocation[]> {
    const { redis, retentionMs } = this.#options;
    const since = Date.now() - retentionMs;
    try {
      const members = await redis.zrevrangebyscoreBuffer(
        this.#keyOf(ownerId),
        '+inf',
        since,
        'LIMIT',
        0,
        size,
      );
      return members.map(invocationOf);
    } catch (cause) {
      throw new AppError('unavailable', 'The logs cannot be read right now.', { cause });
    }
  }

  #keyOf(ownerId: string): string {
    return `${this.#options.prefix}:invocation-log:${ownerId}`;
  }
}

function memberOf({ id, sealed }: StoredInvocation): Buffer {
  return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), sealed]);
}

function invocationOf(member: Buffer): StoredInvocation {
  const hex = member.toString('hex', 0, idBytes);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { id, sealed: member.subarray(idBytes) };
}
