import type { Redis } from '@glovebox/platform/db/redis';

import type { RedisNames } from './keys.ts';

/** `interrupted`: its code began, and what became of it is unknown. */
export type AsyncRequestState = 'waiting' | 'running' | 'completed' | 'failed' | 'interrupted';

/** An asynchronous invocation, without anything that it received or returned. */
export interface AsyncRequest {
  readonly id: string;
  readonly reactor_id: string;
  /** Who invoked it; absent: an earlier version did not say. */
  readonly application_id?: string;
  readonly state: AsyncRequestState;
  /** ISO 8601. */
  readonly accepted_at: string;
  readonly ended_at?: string;
  /** Of its code. */
  readonly duration_ms?: number;
  /** The kind of failure, such as `Bad Request`. */
  readonly error?: string;
}

/** Of one tenant, the latest. */
const mostRequests = 500;
/** Read at once, however short the page is. */
const fewestAtOnce = 100;

/** KEYS the list; ARGV now, id, the last moment and the last rank that are too old, milliseconds to keep it. */
const noteScript = `
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ARGV[4])
return redis.call('PEXPIRE', KEYS[1], ARGV[5])`;

type Names = Pick<RedisNames, 'asyncRequest' | 'asyncRequests'>;

/**
 * The latest asynchronous invocations of each tenant by the time of their acceptance. What became of them is read from the
 * requests themselves, which end after their lifetime. Every method rejects while Redis is away.
 */
export class AsyncRequestList {
  readonly #redis: Redis;
  readonly #names: Names;

  constructor(redis: Redis, names: Names) {
    this.#redis = redis;
    this.#names = names;
  }

  /** @param lifeMs of a request; it begins anew when there is an outcome */
  async note(tenantId: string, requestId: string, lifeMs: number): Promise<void> {
    const now = Date.now();
    const values = [now, requestId, now - 2 * lifeMs, -1 - mostRequests, 2 * lifeMs];
    await this.#redis.eval(noteScript, 1, this.#names.asyncRequests(tenantId), ...values);
  }

  /** Newest first. @param before the id of a request, which is left out with all that are newer */
  async latest(tenantId: string, count: number, before?: string): Promise<readonly AsyncRequest[]> {
    const listed = await this.#redis.zrevrange(this.#names.asyncRequests(tenantId), 0, -1, 'WITHSCORES');
    const all = listed.flatMap((id, at) => (at % 2 === 0 ? [{ id, at: Number(listed[at + 1]) }] : []));
    const place = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
    const after = before !== undefined && place < 0 ? [] : all.slice(place + 1);
    const found: AsyncRequest[] = [];
    // Some are listed longer than they are kept, so it may take all of them to find a few.
    const atOnce = Math.max(count, fewestAtOnce);
    for (let from = 0; from < after.length && found.length < count; from += atOnce) {
      found.push(...(await this.#read(tenantId, after.slice(from, from + atOnce))));
    }
    return found.slice(0, count);
  }

  async #read(
    tenantId: string,
    listed: readonly { readonly id: string; readonly at: number }[],
  ): Promise<AsyncRequest[]> {
    const fields = ['reactor', 'application', 'state', 'begun', 'ending'];
    const found = listed.map(async ({ id, at }) =>
      requestOf(id, at, await this.#redis.hmget(this.#names.asyncRequest(tenantId, id), ...fields)),
    );
    return (await Promise.all(found)).flat();
  }
}

/** Empty for a request that has ended or is unknown. */
function requestOf(
  id: string,
  at: number,
  [reactor, application, state, begun, ending]: readonly (string | null | undefined)[],
): AsyncRequest[] {
  if (typeof reactor !== 'string' || typeof state !== 'string') return [];
  const { type, error, elapsedMs, at: endedAt } = endingOf(ending);
  const became = state === 'interrupted' ? 'interrupted' : type === 'reactor.failed' ? 'failed' : 'completed';
  return [
    {
      id,
      reactor_id: reactor,
      ...(typeof application === 'string' && application !== '' ? { application_id: application } : {}),
      state: state === 'open' ? (begun === null ? 'waiting' : 'running') : became,
      accepted_at: new Date(at).toISOString(),
      ...(endedAt === undefined ? {} : { ended_at: new Date(endedAt).toISOString() }),
      ...(elapsedMs === undefined ? {} : { duration_ms: elapsedMs }),
      ...(error === undefined ? {} : { error }),
    },
  ];
}

interface StoredEnding {
  readonly type?: string;
  readonly error?: string;
  readonly elapsedMs?: number;
  readonly at?: number;
}

function endingOf(text: unknown): StoredEnding {
  if (typeof text !== 'string') return {};
  const ending: StoredEnding = JSON.parse(text);
  return ending;
}
