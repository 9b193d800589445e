import type { Redis } from '@glovebox/platform/db/redis';

import type { InvocationOutline } from './invocation-outline.ts';
import type { RedisNames } from './keys.ts';

/** Of one tenant, the latest. */
export const mostOutlines = 2000;
const keptMs = 7 * 24 * 60 * 60_000;

/** KEYS the stream; ARGV the most in it, milliseconds to keep it, and then outlines. */
const addScript = `
for at = 3, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'outline', ARGV[at]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** An outline and its place among those of its tenant: `<milliseconds>-<number>`, ascending. */
export interface PlacedOutline {
  readonly place: string;
  readonly outline: InvocationOutline;
}

/** The invocations of each tenant in a Redis stream of its own. Every method rejects while Redis is away. */
export class OutlineStore {
  readonly #redis: Redis;
  readonly #names: Pick<RedisNames, 'invocations'>;

  constructor(redis: Redis, names: Pick<RedisNames, 'invocations'>) {
    this.#redis = redis;
    this.#names = names;
  }

  async add(outlines: ReadonlyMap<string, readonly InvocationOutline[]>): Promise<void> {
    const added = [...outlines].map(([tenantId, ofTenant]) => {
      const texts = ofTenant.map((outline) => JSON.stringify(outline));
      return this.#redis.eval(
        addScript,
        1,
        this.#names.invocations(tenantId),
        mostOutlines,
        keptMs,
        ...texts,
      );
    });
    await Promise.all(added).catch((cause: unknown) => {
      throw new Error('Redis did not keep the invocations', { cause });
    });
  }

  /** Newest first. @param before a place, which is left out; absent: from the newest on */
  async latest(tenantId: string, count: number, before?: string): Promise<readonly PlacedOutline[]> {
    const from = before === undefined ? '+' : `(${before}`;
    const entries = await this.#redis.xrevrange(this.#names.invocations(tenantId), from, '-', 'COUNT', count);
    return entries.flatMap(placed);
  }

  /** Oldest first. @param after a place, which is left out */
  async since(tenantId: string, after: string, count: number): Promise<readonly PlacedOutline[]> {
    const entries = await this.#redis.xrange(
      this.#names.invocations(tenantId),
      `(${after}`,
      '+',
      'COUNT',
      count,
    );
    return entries.flatMap(placed);
  }

  /** The place of the newest; undefined for none. */
  async newest(tenantId: string): Promise<string | undefined> {
    const [entry] = await this.#redis.xrevrange(this.#names.invocations(tenantId), '+', '-', 'COUNT', 1);
    return entry?.[0];
  }
}

/** Leaves out entries that this version cannot read. */
function placed([place, [, text = '']]: [string, string[]]): PlacedOutline[] {
  try {
    const outline: unknown = JSON.parse(text);
    return isOutline(outline) ? [{ place, outline }] : [];
  } catch {
    return [];
  }
}

function isOutline(value: unknown): value is InvocationOutline {
  if (typeof value !== 'object' || value === null) return false;
  const { id, subject, outcome, trace_id, started_at }: { readonly [name in string]?: unknown } = {
    ...value,
  };
  const isText = [id, outcome, trace_id, started_at].every((text) => typeof text === 'string');
  return isText && typeof subject === 'object' && subject !== null;
}
