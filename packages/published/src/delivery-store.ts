import type { Redis } from '@glovebox/platform/db/redis';

import type { RedisNames } from './keys.ts';
import type { EventBody } from './webhook-events.ts';

/** How far the delivery of an event is: `retrying` after a failure, `failed` after the last one. */
export type DeliveryState = 'waiting' | 'delivered' | 'retrying' | 'failed';

/** One request to a webhook's address. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  readonly duration_ms: number;
  /** Of the answer; absent without one. */
  readonly status?: number;
  /** Why there was none, in a word. */
  readonly error?: string;
}

export interface RecordedDelivery {
  readonly event: EventBody;
  readonly state: DeliveryState;
  /** The latest, in order. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** Of one webhook, the latest. */
export const mostDeliveries = 100;
const mostAttempts = 20;
const keptMs = 7 * 24 * 60 * 60_000;

/**
 * KEYS order, records; ARGV event id, now, event, state, attempt or '', most deliveries, most attempts, lifetime, whether
 * only one that is to be attempted is changed (1 or 0). A record is three fields: `<id>:event`, `<id>:state` and
 * `<id>:attempts`, one a line.
 */
const noteScript = `
local id = ARGV[1]
local before = redis.call('HGET', KEYS[2], id .. ':state')
if ARGV[9] == '1' and before ~= 'waiting' and before ~= 'retrying' then return end
local function drop(ids)
  for _, old in ipairs(ids) do
    redis.call('ZREM', KEYS[1], old)
    redis.call('HDEL', KEYS[2], old .. ':event', old .. ':state', old .. ':attempts')
  end
end
drop(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', tonumber(ARGV[2]) - tonumber(ARGV[8])))
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], id)
redis.call('HSETNX', KEYS[2], id .. ':event', ARGV[3])
redis.call('HSET', KEYS[2], id .. ':state', ARGV[4])
if ARGV[5] ~= '' then
  local lines = {}
  for line in string.gmatch(redis.call('HGET', KEYS[2], id .. ':attempts') or '', '[^\\n]+') do lines[#lines + 1] = line end
  lines[#lines + 1] = ARGV[5]
  local first = math.max(1, #lines - tonumber(ARGV[7]) + 1)
  redis.call('HSET', KEYS[2], id .. ':attempts', table.concat(lines, '\\n', first))
end
drop(redis.call('ZRANGE', KEYS[1], 0, -1 - tonumber(ARGV[6])))
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[8]) end
`;

/** The latest deliveries of each webhook for a week, with what became of them. Every method rejects while Redis is away. */
export class DeliveryStore {
  readonly #redis: Redis;
  readonly #names: Pick<RedisNames, 'deliveries' | 'deliveryRecords'>;

  constructor(redis: Redis, names: Pick<RedisNames, 'deliveries' | 'deliveryRecords'>) {
    this.#redis = redis;
    this.#names = names;
  }

  /** @param attempt absent: none was made */
  note(webhookId: string, event: EventBody, state: DeliveryState, attempt?: DeliveryAttempt): Promise<void> {
    return this.#note(webhookId, event, state, attempt, false);
  }

  /**
   * The same of a delivery that is listed as `waiting` or `retrying`; of any other it notes nothing. So it brings back
   * nothing of a webhook that is deleted.
   */
  conclude(
    webhookId: string,
    event: EventBody,
    state: DeliveryState,
    attempt?: DeliveryAttempt,
  ): Promise<void> {
    return this.#note(webhookId, event, state, attempt, true);
  }

  async #note(
    webhookId: string,
    event: EventBody,
    state: DeliveryState,
    attempt: DeliveryAttempt | undefined,
    isConclusion: boolean,
  ): Promise<void> {
    const made = attempt === undefined ? '' : JSON.stringify(attempt);
    const what = [event.id, Date.now(), JSON.stringify(event), state, made];
    const how = [mostDeliveries, mostAttempts, keptMs, Number(isConclusion)];
    await this.#redis.eval(noteScript, 2, ...this.#keysOf(webhookId), ...what, ...how);
  }

  /** Newest first. @param before the id of an event; what is as new or newer is left out */
  async latest(webhookId: string, count: number, before?: string): Promise<readonly RecordedDelivery[]> {
    const ids = await this.#redis.zrevrangebyscore(
      this.#names.deliveries(webhookId),
      '+inf',
      `(${Date.now() - keptMs}`,
    );
    // What has been displaced meanwhile has nothing after it.
    const from = before === undefined ? 0 : ids.includes(before) ? ids.indexOf(before) + 1 : ids.length;
    return this.#read(webhookId, ids.slice(from, from + count));
  }

  async find(webhookId: string, eventId: string): Promise<RecordedDelivery | undefined> {
    const noted = await this.#redis.zscore(this.#names.deliveries(webhookId), eventId);
    if (noted === null || Number(noted) <= Date.now() - keptMs) return undefined;
    return (await this.#read(webhookId, [eventId]))[0];
  }

  async remove(webhookId: string): Promise<void> {
    await this.#redis.del(...this.#keysOf(webhookId));
  }

  async #read(webhookId: string, ids: readonly string[]): Promise<readonly RecordedDelivery[]> {
    if (ids.length === 0) return [];
    const fields = ids.flatMap((id) => [`${id}:event`, `${id}:state`, `${id}:attempts`]);
    const values = await this.#redis.hmget(this.#names.deliveryRecords(webhookId), ...fields);
    return ids.flatMap((_, at) => recordOf(values.slice(3 * at, 3 * at + 3)));
  }

  #keysOf(webhookId: string): [string, string] {
    return [this.#names.deliveries(webhookId), this.#names.deliveryRecords(webhookId)];
  }
}

/** None of an entry that is not there, or not ours. */
function recordOf([event, state, attempts]: readonly (string | null)[]): RecordedDelivery[] {
  if (event == null || !isState(state)) return [];
  try {
    const lines = (attempts ?? '').split('\n').filter((line) => line !== '');
    const parsed: EventBody = JSON.parse(event);
    return [{ event: parsed, state, attempts: lines.map(attemptOf) }];
  } catch {
    return [];
  }
}

function attemptOf(line: string): DeliveryAttempt {
  const attempt: DeliveryAttempt = JSON.parse(line);
  return attempt;
}

const states: readonly DeliveryState[] = ['waiting', 'delivered', 'retrying', 'failed'];
const isState = (text: string | null | undefined): text is DeliveryState =>
  states.some((state) => state === text);
